"""Make or repair the virtual environment `.venv` from the pinned requirements; standard library only.

`_install.py runtime|dev [--port N] [--check]`. With --check nothing is changed; exit code 3 says: an install is due.
"""

import argparse
import fcntl
import hashlib
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
REQUIREMENTS = {"runtime": ["requirements.txt"], "dev": ["requirements.txt", "requirements-dev.txt"]}
INSTALL_NEEDED = 3


def main() -> int:
    """Check the port if one is given, then make sure that the environment of the asked kind is there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=REQUIREMENTS)
    parser.add_argument("--port", type=int)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.port is not None:
        refuse_busy_port(options.port)
    if options.check:
        return 0 if is_installed(options.kind) else INSTALL_NEEDED
    with_lock = os.open(ROOT, os.O_RDONLY)  # two starts at once: the second waits, then finds the work done
    fcntl.flock(with_lock, fcntl.LOCK_EX)
    if not is_installed(options.kind):
        install(options.kind)
    return 0


def refuse_busy_port(port: int) -> None:
    """End with one line when the product could not listen on this loopback port."""
    if not 1 <= port <= 65535:
        sys.exit(f"Port {port} does not exist: choose one from 1 to 65535.")
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
            listener.listen()
        except OSError as error:
            sys.exit(f"Port {port} cannot be used ({error.strerror}): choose another with --port.")


def is_installed(kind: str) -> bool:
    """Say whether the last install of this kind finished, for these requirements and this version of Python."""
    try:
        return stamp_path(kind).read_text() == stamp(kind)
    except OSError:
        return False


def stamp_path(kind: str) -> Path:
    return VENV / f".installed-{kind}"


def stamp(kind: str) -> str:
    digest = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in REQUIREMENTS[kind])).hexdigest()
    return f"{digest} {venv_version()}\n"


def venv_version() -> str:
    """Return the version of the environment's Python as 3.11, or nothing when it does not run."""
    if Path(sys.prefix) == VENV:
        return f"{sys.version_info[0]}.{sys.version_info[1]}"
    asked = [str(PYTHON), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def install(kind: str) -> None:
    uv = shutil.which("uv")
    finished_before = any(stamp_path(each).exists() for each in REQUIREMENTS)
    kept_kinds = [each for each in REQUIREMENTS if is_installed(each)]
    for each in REQUIREMENTS:
        stamp_path(each).unlink(missing_ok=True)
    if not (finished_before and venv_version() and (uv or has_pip())):
        say(f"Making the virtual environment .venv with Python {sys.version.split()[0]}")
        make_venv(uv=uv)
        kept_kinds = []
    say(f"Installing pinned packages with {'uv' if uv else 'pip'} (up to a minute the first time)")
    installer = [uv, "pip", "install", "--python", str(PYTHON)] if uv else [str(PYTHON), "-m", "pip", "install"]
    quietly = ["--quiet"] if uv else ["--quiet", "--disable-pip-version-check"]
    files = [argument for name in REQUIREMENTS[kind] for argument in ("-r", str(ROOT / name))]
    run([*installer, *quietly, "--require-hashes", "--only-binary", ":all:", *files], doing="installing the packages")
    for each in {*kept_kinds, "runtime", kind}:
        stamp_path(each).write_text(stamp(each))


def has_pip() -> bool:
    return subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0


def make_venv(*, uv: str | None) -> None:
    base = os.path.realpath(sys.executable)  # this may be the very environment that is about to be removed
    shutil.rmtree(VENV, ignore_errors=True)
    by_uv = [uv, "venv", "--quiet", "--no-project", "--python", base, str(VENV)] if uv else None
    run(by_uv or [base, "-m", "venv", str(VENV)], doing="making the virtual environment")


def run(command: list[str], *, doing: str) -> None:
    """Run a step with its output on standard error; end with one line when it fails."""
    if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
        sys.exit(f"Failed {doing}; the lines above say why. The next start tries again.")


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"Cannot make the environment: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
