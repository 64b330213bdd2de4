"""Reading the environment: the data folder, the secret key, and booleans that may not be misspelt."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}


def boolean(name: str, text: str) -> bool:
    """Return the truth of `text`; refuse any word that is neither plainly true nor plainly false."""
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name}={text!r} is neither true nor false. Write one of: true, false.")


def secret_key_kept_in(folder: Path) -> str:
    """Return the secret key of this installation, made once and readable by its owner only."""
    path = folder / "secret_key"
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with open(path, "x", opener=_private) as file:
            file.write(secrets.token_urlsafe(48))
    except FileExistsError:
        pass  # another process made it first
    return path.read_text().strip()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
