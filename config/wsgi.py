"""The WSGI entry point that gunicorn serves.

The code of every page is loaded before the first request. Python's collector of unused memory is told that all of it
stays for good: walking it again would hold up some request for a tenth of a second.
"""

import gc
import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
import_module(settings.ROOT_URLCONF)
gc.collect()
gc.freeze()
