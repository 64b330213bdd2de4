"""Say whether a process started here would reach its database and its broker; container health checks call it."""

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from kombu.exceptions import OperationalError

from config.celery import app


class Command(BaseCommand):
    """`manage.py health`: end with code 0 when all is well, else with code 1 and the reason."""

    help = "Check that the database is reached and migrated, and that the broker is reached."
    requires_system_checks = []

    def handle(self, *args: object, **options: object) -> None:
        try:
            executor = MigrationExecutor(connection)
        except DatabaseError as error:
            raise CommandError(f"The database is not reached: {error}") from error
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError("The database lacks migrations: run manage.py migrate.")
        try:
            with app.connection_for_write() as broker:
                broker.ensure_connection(max_retries=1, timeout=5)
        except OperationalError as error:
            raise CommandError(f"The broker is not reached: {error}") from error
        self.stdout.write("ok")
