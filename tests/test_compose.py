"""No container engine is needed to know that the deployment files fit the code: every name in them is looked up."""

import ast
import importlib
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from celery.app.utils import find_app
from celery.bin.worker import worker as celery_worker
from click import Context
from click.exceptions import NoSuchOption
from django.core.management import get_commands, load_command_class
from gunicorn.config import Config

from config.management.commands.up import child_environment, product_processes
from tests.servers import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
OURS = ("migrate", "web", "worker", "ticker")
READ_BY_OTHERS = {"NUMBA_CACHE_DIR", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"}


def names_read_by_the_settings() -> set[str]:
    """Return every variable that the settings take from the environment: env.str("NAME") and the like."""
    calls = [
        node for node in ast.walk(ast.parse((ROOT / "config/settings.py").read_text())) if isinstance(node, ast.Call)
    ]
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "env"
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    }


def refuse_unknown(command: Sequence[str]) -> None:
    """Raise unless this is a program that we run, with options that it knows and a target that exists."""
    match list(command):
        case ["gunicorn", target, *options]:
            assert callable(importlib.import_module(target).application)
            Config().parser().parse_args([target, *options])
        case ["celery", "-A", target, "worker", *options]:
            assert find_app(target).main == "rackwright"
            celery_worker.make_parser(Context(celery_worker)).parse_args(list(options))
        case ["python", "manage.py", name, *options]:
            found = load_command_class(get_commands()[name], name)
            found.create_parser("manage.py", name).parse_args(options)
        case ["python", "-c", program]:
            compile(program, "health check", "exec")
        case _:
            raise AssertionError(f"unknown program: {shlex.join(command)}")


def every_text(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from every_text(each)
    elif isinstance(value, list):
        for each in value:
            yield from every_text(each)
    else:
        yield str(value)


def dockerfile_words(instruction: str) -> list[str]:
    """Return what follows each line of this instruction, continued lines joined."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line.split(maxsplit=1)[1] for line in joined.splitlines() if line.startswith(f"{instruction} ")]


def test_the_settings_reader_of_this_test_finds_the_known_names():
    assert {"DATABASE_URL", "CELERY_BROKER_URL", "REDIS_URL", "RACKWRIGHT_MODE"} <= names_read_by_the_settings()


@pytest.mark.parametrize("service", OURS)
def test_every_variable_of_a_service_is_one_that_the_settings_read(service: str):
    given = set(COMPOSE["services"][service]["environment"])

    assert given - names_read_by_the_settings() == set()


def test_every_variable_of_the_image_is_read_by_something():
    given = {word.split("=")[0] for words in dockerfile_words("ENV") for word in words.split()}

    assert given - names_read_by_the_settings() - READ_BY_OTHERS == set()


@pytest.mark.parametrize("service", OURS)
def test_every_command_of_a_service_is_known(service: str):
    refuse_unknown(COMPOSE["services"][service]["command"])


def test_the_command_of_the_image_is_known():
    (words,) = dockerfile_words("CMD")

    refuse_unknown(json.loads(words))


@pytest.mark.parametrize("service", ["web", "worker", "ticker"])
def test_every_health_check_is_known(service: str):
    how, *command = COMPOSE["services"][service]["healthcheck"]["test"]

    assert how == "CMD"
    refuse_unknown(command)


def test_a_misspelt_command_is_refused_by_this_test():
    with pytest.raises(KeyError):
        refuse_unknown(["python", "manage.py", "tock"])
    with pytest.raises(SystemExit):
        refuse_unknown(["gunicorn", "config.wsgi", "--bnid", "0.0.0.0:8000"])
    with pytest.raises(NoSuchOption):
        refuse_unknown(["celery", "-A", "config", "worker", "--without-mingel"])


def test_the_supervisor_starts_the_same_known_programs():
    commands = {child.name: list(child.command) for child in product_processes(port=8123)}

    assert list(commands) == ["web", "worker", "ticker"]
    refuse_unknown(commands["web"][2:])
    refuse_unknown(commands["worker"][2:])
    assert Path(commands["ticker"][1]) == ROOT / "manage.py"
    refuse_unknown(["python", "manage.py", *commands["ticker"][2:]])
    assert child_environment(port=8123)["RACKWRIGHT_PORT"] == "8123"


def test_what_is_asked_of_the_operator_has_a_default_or_a_message():
    asked = [match for text in every_text(COMPOSE) for match in re.findall(r"\$\{(\w+)(:[-?])?", text)]

    assert asked
    assert [name for name, default in asked if not default] == []


def test_no_secret_is_written_down():
    values = {
        name: value
        for service in COMPOSE["services"].values()
        for name, value in service.get("environment", {}).items()
        if re.search("SECRET|PASSWORD|TOKEN", name)
    }

    assert set(values) == {"SECRET_KEY", "POSTGRES_PASSWORD"}
    assert [name for name, value in values.items() if not value.startswith(f"${{{name}:?")] == []


def test_services_wait_for_health_keep_their_data_and_do_not_run_as_root():
    services = COMPOSE["services"]
    mounted = {volume.split(":")[0] for service in services.values() for volume in service["volumes"]}

    assert [name for name, service in services.items() if "healthcheck" not in service] == ["migrate"]
    assert mounted == set(COMPOSE["volumes"])
    assert dockerfile_words("USER") == ["rackwright"]
    assert all(services[name]["depends_on"]["migrate"] for name in ("web", "worker", "ticker"))
