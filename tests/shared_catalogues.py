"""Catalogues that tests find loaded: one stays in the database from test to test while they ask for the same.

It stands in a transaction around those of the tests, which undo what they change in it. It is taken out again before
any test that does not ask for it.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from io import StringIO

from django.core.management import call_command
from django.db import connection, transaction

from catalog.loading import SHIPPED, catalog_load_folder, shipped_folders

MARCH = datetime(2026, 3, 1, tzinfo=UTC)


def _load_shipped() -> None:
    call_command("catalog_load", stdout=StringIO())


def _load_ec2() -> None:
    call_command("catalog_load", str(SHIPPED / "ec2-2012-04"), stdout=StringIO())


def _load_shipped_in_march() -> None:
    for folder in shipped_folders():
        assert catalog_load_folder(folder=folder, now=MARCH).refused == ()


LOADS: dict[str, Callable[[], None]] = {
    "shipped_catalogue": _load_shipped,
    "ec2_catalogue": _load_ec2,
    "shipped_in_march": _load_shipped_in_march,
}
"""How each catalogue is loaded, by the name of the fixture that asks for it; in plugin.py."""


class SharedCatalogues:
    """The one catalogue that is in the database, or none."""

    def __init__(self, *, unblock: Callable[[], AbstractContextManager[None]]) -> None:
        """`unblock` lets code reach the database outside of tests."""
        self.name: str | None = None
        self._held: Iterator[None] = iter(())
        self._unblock = unblock

    def hold(self, name: str | None) -> None:
        """See to it that this catalogue is loaded, and no other; None is none at all."""
        if name == self.name:
            return
        with self._unblock():
            next(self._held, None)
            self.name, self._held = None, iter(())
            if name is not None:
                held = _loaded(LOADS[name])
                next(held)
                self.name, self._held = name, held


def _loaded(load: Callable[[], None]) -> Iterator[None]:
    with transaction.atomic():
        load()
        connection.check_constraints()  # which would be looked at after each test otherwise
        yield
        transaction.set_rollback(True)
