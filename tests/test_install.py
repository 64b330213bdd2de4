"""The part of the start scripts that makes the virtual environment."""

import importlib.util
import socket
from pathlib import Path
from types import ModuleType

import pytest

from tests.servers import ROOT, free_port


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module bin/_install.py, for a clone in a temporary folder."""
    spec = importlib.util.spec_from_file_location("_install", ROOT / "bin/_install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, value in {"ROOT": tmp_path, "VENV": tmp_path / ".venv", "PYTHON": tmp_path / ".venv/bin/python"}.items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(module, "venv_version", lambda: "3.11")
    (tmp_path / ".venv").mkdir()
    (tmp_path / "requirements.txt").write_text("one==1\n")
    (tmp_path / "requirements-dev.txt").write_text("two==2\n")
    return module


def finish(install: ModuleType, kind: str) -> None:
    install.stamp_path(kind).write_text(install.stamp(kind))


def test_an_environment_counts_as_installed_only_when_its_install_finished(install: ModuleType):
    assert not install.is_installed("runtime")

    finish(install, "runtime")

    assert install.is_installed("runtime")
    assert not install.is_installed("dev")


def test_changed_pins_ask_for_an_install(install: ModuleType):
    finish(install, "runtime")
    finish(install, "dev")

    (install.ROOT / "requirements-dev.txt").write_text("two==3\n")

    assert install.is_installed("runtime")
    assert not install.is_installed("dev")


def test_another_python_asks_for_an_install(install: ModuleType, monkeypatch: pytest.MonkeyPatch):
    finish(install, "runtime")

    monkeypatch.setattr(install, "venv_version", lambda: "3.12")

    assert not install.is_installed("runtime")


def test_a_busy_port_is_refused_in_one_line(install: ModuleType):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        with pytest.raises(SystemExit) as refusal:
            install.refuse_busy_port(port)

    assert refusal.value.code == f"Port {port} cannot be used (Address already in use): choose another with --port."


@pytest.mark.parametrize("port", [0, 65536])
def test_a_port_that_does_not_exist_is_refused(install: ModuleType, port: int):
    with pytest.raises(SystemExit) as refusal:
        install.refuse_busy_port(port)

    assert refusal.value.code == f"Port {port} does not exist: choose one from 1 to 65535."


def test_a_free_port_is_accepted(install: ModuleType):
    install.refuse_busy_port(free_port())
