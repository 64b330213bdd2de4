"""What bin/manage and bin/up make ready by themselves, and what they leave alone."""

import pytest

from catalog.models import Package
from config.preparing import prepare_for_command

pytestmark = pytest.mark.django_db


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)


def test_an_empty_embedded_database_gets_the_catalogue_once(embedded: None):
    said: list[str] = []

    prepare_for_command(command="plan", say=said.append)
    packages = Package.objects.count()
    prepare_for_command(command="plan", say=said.append)

    assert packages > 0
    assert Package.objects.count() == packages
    assert said == ["Loading the catalogue"]


@pytest.mark.parametrize("command", ["migrate", "catalog_load", "check", "help", "--version"])
def test_commands_that_need_no_catalogue_leave_the_database_empty(embedded: None, command: str):
    said: list[str] = []

    prepare_for_command(command=command, say=said.append)

    assert said == []
    assert not Package.objects.exists()


def test_a_database_that_the_user_named_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://somebody@db.example/theirs")
    said: list[str] = []

    prepare_for_command(command="plan", say=said.append)

    assert said == []
    assert not Package.objects.exists()
