"""Settings, all from the environment. `manage.py check --deploy` says what is wrong with a deployment."""

from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

from config.environment import boolean, secret_key_kept_in

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("RACKWRIGHT_DATA", default=str(BASE_DIR / "data"))).resolve()

MODE = env.str("RACKWRIGHT_MODE", default="embedded")
if MODE not in ("embedded", "deployed"):
    raise ImproperlyConfigured(f"RACKWRIGHT_MODE={MODE!r} is unknown. Write embedded or deployed.")
EMBEDDED = MODE == "embedded"
PORT = env.int("RACKWRIGHT_PORT", default=8000)

DEBUG = boolean("DEBUG", env.str("DEBUG", default="false"))
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    if not EMBEDDED:
        raise ImproperlyConfigured("SECRET_KEY is missing: a deployment must set it.")
    SECRET_KEY = secret_key_kept_in(DATA_DIR)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[".localhost", "127.0.0.1", "[::1]"] if EMBEDDED else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "config",
    "core",
    "jobs",
    "accounts",
    "catalog",
    "orders",
    "planner",
    "api",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.TenantMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.brand_and_navigation",
            ],
            "builtins": ["core.templatetags.figures"],
        },
    },
]

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'rackwright.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Deferred transactions that read and then write fail under load; IMMEDIATE ones wait their turn.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 600
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

REDIS_URL = env.str("REDIS_URL", default="")
CACHES: dict[str, dict[str, str]] = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

BROKER_DIR = DATA_DIR / "broker"
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://")
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {}
if CELERY_BROKER_URL.startswith("filesystem://"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR),
        "data_folder_out": str(BROKER_DIR),
        "control_folder": str(BROKER_DIR / "control"),
        # Without it the file-system broker delivers two bells a second.
        "polling_interval": 0.05,
    }
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = env.str("RACKWRIGHT_QUEUE", default="rackwright")
# Bells carry no work and need no receipt. A worker that owes one to a broker that was killed would never hear again.
CELERY_TASK_QUEUES = (Queue(CELERY_TASK_DEFAULT_QUEUE, no_ack=True),)

# A worker that is killed loses its point after this time; 0 switches leases off, and then it keeps it for ever.
LEASE_SECONDS = env.float("RACKWRIGHT_LEASE_SECONDS", default=30.0)
# A bell that no worker answered in this time is taken for lost and rung again.
BELL_SECONDS = env.float("RACKWRIGHT_BELL_SECONDS", default=LEASE_SECONDS or 30.0)
TICK_SECONDS = env.float("RACKWRIGHT_TICK_SECONDS", default=1.0)

# Simulated machines come up after about so many seconds, and this share of them (0 to 1) never does.
SIMULATED_SECONDS = env.float("RACKWRIGHT_SIMULATED_SECONDS", default=3.0)
SIMULATED_FAILURES = env.float("RACKWRIGHT_SIMULATED_FAILURES", default=0.0)
# Whether provisioners inside the own network may be called, also without encryption.
PRIVATE_WEBHOOKS = boolean("RACKWRIGHT_PRIVATE_WEBHOOKS", env.str("RACKWRIGHT_PRIVATE_WEBHOOKS", default="false"))

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "accounts.backends.AccountBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"
AXES_USERNAME_FORM_FIELD = "username"  # what the sign-in form calls the e-mail
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "accounts/locked_out.html"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_THOUSAND_SEPARATOR = False

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(DATA_DIR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Where links in e-mails lead; the host is the partner's own.
HTTPS = not EMBEDDED and boolean("HTTPS", env.str("HTTPS", default="true"))
PORTAL_SCHEME = "https" if HTTPS else "http"
PORTAL_PORT = f":{PORT}" if EMBEDDED else ""
vars().update(env.email_url("EMAIL_URL", default=f"filemail://{DATA_DIR / 'mail'}" if EMBEDDED else "consolemail://"))
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default="rackwright@localhost")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.ApiKeyAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.errors.answer_exception",
    "LIST_SERIALIZER_ERRORS_AS_DICT": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Rackwright API",
    "DESCRIPTION": "Plan it, price it, order it: catalogue, plans and orders for re-branded portals.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": ["/api/docs"],
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        # plotly sets style attributes and a style element on the charts it draws.
        "style-src": [SELF, "'unsafe-inline'"],
        "script-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
if not EMBEDDED:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
