"""Run a management command, after making the embedded database fit for it. Called by the commands beside it."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Prepare what the command needs, then hand over to Django."""
    sys.path[0] = str(ROOT)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        django.setup()
    except ImproperlyConfigured as error:
        sys.exit(f"Settings: {error}")
    from config.preparing import prepare_for_command

    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    prepare_for_command(command=command, say=lambda text: print(text, file=sys.stderr, flush=True))
    execute_from_command_line(["bin/manage", *sys.argv[1:]])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
