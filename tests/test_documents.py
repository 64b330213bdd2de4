"""What the documents say is so: commands, their output, settings, links, paths, and the diagram of the model."""

import io
import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError

from accounts.demo import DEMO_PASSWORD, DEMO_SIGN_INS
from tests.servers import ROOT
from tests.test_compose import names_read_by_the_settings
from tests.test_layout import ROOMS, STAIRS, product_files

README = (ROOT / "README.md").read_text()
GLOSSARY = (ROOT / "docs/glossary.md").read_text()
DIAGRAM = (ROOT / "docs/model.md").read_text()
DOCUMENTS = [path for path in product_files(".md") if path != "static/VENDOR.md"]
DECISIONS = [path for path in DOCUMENTS if path.startswith("docs/decisions/") and not path.endswith("README.md")]
EDGE = re.compile(r"^ +(\w+) (\|\|--o\{|\}o--o\{|\|\|--\|\|) (\w+) :", re.MULTILINE)
GLOSSARY_WORDS = {
    *("partner", "account", "package", "item category", "item", "item price", "location group", "capacity restriction"),
    *("term", "container", "order line", "draft", "blueprint", "role", "plan", "demand", "shape", "group", "proxy"),
    *("storage node", "balancer", "usable capacity", "replica", "service demand", "utilisation", "saturation"),
    *("stream", "Pareto front", "run", "point", "bell", "lease", "fencing token", "ticker", "outbox event"),
    *("audit entry", "idempotency key", "basis", "unpriced", "calibrated", "machine type"),
}


def examples() -> list[tuple[str, list[str]]]:
    """Return the README's examples: each command line with the lines of output under it."""
    blocks = re.findall(r"^    \$ bin/manage (.+)\n((?:    .*\n)*)", README, re.MULTILINE)
    return [(command, [line[4:] for line in output.splitlines()]) for command, output in blocks]


def commands_named_in(text: str) -> list[str]:
    return re.findall(r"(?:bin/manage|manage\.py) ([a-z_]+)", text)


def load(name: str) -> BaseCommand:
    """Return a management command; raises KeyError where there is none of that name."""
    return load_command_class(get_commands()[name], name)


def test_every_setting_is_in_the_readme_and_nothing_else():
    in_the_table = set(re.findall(r"^\| `([A-Z_]+)` \|", README, re.MULTILINE))

    assert in_the_table == names_read_by_the_settings()


@pytest.mark.parametrize("path", DOCUMENTS)
def test_every_program_that_a_document_names_can_be_run(path: str):
    programs = set(re.findall(r"\bbin/([a-z_]+)", (ROOT / path).read_text()))

    assert [name for name in programs if not os.access(ROOT / "bin" / name, os.X_OK)] == []


@pytest.mark.parametrize("path", DOCUMENTS)
def test_every_management_command_that_a_document_names_exists(path: str):
    named = commands_named_in((ROOT / path).read_text())

    assert [name for name in named if name not in get_commands()] == []


def test_a_command_that_does_not_exist_is_seen():
    assert commands_named_in("`bin/manage plann --json` and python manage.py tick") == ["plann", "tick"]
    with pytest.raises(KeyError):
        load("plann")


def test_the_readme_shows_the_commands_that_matter():
    assert set(re.findall(r"\bbin/([a-z_]+)", README)) >= {"up", "manage", "test", "check", "bench", "pin"}
    assert len(examples()) == 3


def test_the_readme_names_the_sign_ins_of_the_demo():
    named = set(re.findall(r"`(\w+@[\w.]+)`", README))

    assert named == {sign_in.email for sign_in in DEMO_SIGN_INS}
    assert f"`{DEMO_PASSWORD}`" in README


@pytest.mark.django_db
def test_the_examples_of_the_readme_print_what_it_shows():
    call_command("catalog_load", stdout=io.StringIO())

    for command, shown in examples():
        printed = io.StringIO()
        call_command(*shlex.split(command), stdout=printed)
        whole = shown[:-1] if shown[-1] == "…" else shown
        lines = printed.getvalue().splitlines()
        assert lines[: len(whole)] == whole, command
        assert (len(lines) > len(whole)) == (shown[-1] == "…"), command


def test_the_options_that_the_readme_names_are_known():
    options = set(re.findall(r"`(--[a-z-]+)`", README))
    known = {
        option
        for name in ("plan", "catalog_import")
        for option in load(name).create_parser("manage.py", name)._option_string_actions
    }

    assert {"--meets", "--hours", "--json", "--dry-run"} <= options
    assert options - known == set()
    with pytest.raises(CommandError):
        load("plan").create_parser("manage.py", "plan").parse_args(["--hour-s"])


@pytest.mark.parametrize("path", DOCUMENTS)
def test_every_link_leads_to_a_file(path: str):
    targets = re.findall(r"\]\(([^)#]+)\)", (ROOT / path).read_text())
    local = [target for target in targets if not target.startswith("https://")]

    assert [target for target in local if not (ROOT / path).parent.joinpath(target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS)
def test_every_path_that_a_document_names_exists(path: str):
    named = re.findall(r"`([\w.-]+/[\w./-]+\.\w+)`", (ROOT / path).read_text())

    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_decisions_are_listed_and_say_what_was_given_up():
    listed = re.findall(r"\]\(([\w-]+\.md)\)", (ROOT / "docs/decisions/README.md").read_text())

    assert sorted(listed) == sorted(Path(path).name for path in DECISIONS)
    for path in DECISIONS:
        text = (ROOT / path).read_text()
        assert re.findall(r"^\*\*(Chosen|Given up|Look again)", text, re.MULTILINE) == [
            "Chosen",
            "Given up",
            "Look again",
        ]
        assert len(text.splitlines()) <= 30, f"{path} is longer than half a page"


def test_the_glossary_has_each_word_once():
    words = re.findall(r"^- \*\*([^*]+)\*\*", GLOSSARY, re.MULTILINE)

    assert GLOSSARY_WORDS - set(words) == set()
    assert sorted(words) == sorted(set(words))


def test_every_model_of_the_glossary_exists():
    models = {model.__name__ for room in STAIRS for model in apps.get_app_config(room).get_models()}
    named = re.findall(r"^- \*\*[^*]+\*\*[^(:]*\(`(\w+)`\)", GLOSSARY, re.MULTILINE)

    assert len(named) > 20
    assert set(named) - models - {"Basis"} == set()


def test_words_that_the_glossary_rules_out_are_not_on_any_page():
    ruled_out = re.findall(r'[Nn]ot "([a-z ]+)"', GLOSSARY)
    pages = {path: (ROOT / path).read_text().lower() for path in product_files(".html")}

    assert ruled_out == ["instance type", "flavour"]
    assert [path for path, text in pages.items() for word in ruled_out if word in text] == []


def test_every_line_of_the_diagram_is_a_reference_between_models():
    edges = EDGE.findall(DIAGRAM)
    wrong = [f"{one} {line} {other}" for one, line, other in edges if not is_in_the_models(one, line, other)]

    assert len(edges) > 20
    assert wrong == []


def test_a_line_of_the_diagram_that_is_not_in_the_models_is_seen():
    assert is_in_the_models("Account", "||--o{", "BillingOrder")
    assert not is_in_the_models("BillingOrder", "||--o{", "Account")
    assert not is_in_the_models("Package", "||--o{", "Item")
    assert not is_in_the_models("BillingOrder", "||--o{", "Plan")


def is_in_the_models(one: str, line: str, other: str) -> bool:
    """Say whether `other` refers to `one` as the line claims: one to many, one to one, or many to many."""
    models = {model.__name__: model for room in STAIRS for model in apps.get_app_config(room).get_models()}
    kinds = {"||--o{": "many_to_one", "||--||": "one_to_one", "}o--o{": "many_to_many"}
    here, there = (models[one], models[other]) if line == "}o--o{" else (models[other], models[one])
    fields = (*here._meta.local_fields, *here._meta.local_many_to_many)
    return any(field.is_relation and field.related_model is there and getattr(field, kinds[line]) for field in fields)


def test_the_readme_draws_the_house():
    drawn = re.findall(r"^    (\w+)  +[a-z]", README, re.MULTILINE)

    assert drawn == list(reversed(STAIRS))
    assert all(f"`{room}`" in README for room in ROOMS - set(STAIRS))


def test_the_changelog_leads_to_the_version_of_the_project():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    assert version in (ROOT / "CHANGELOG.md").read_text()


def test_the_notice_names_every_folder_of_other_peoples_data():
    notice = (ROOT / "NOTICE").read_text()
    catalogues = [f"catalog/data/{path.name}" for path in (ROOT / "catalog/data").iterdir() if path.is_dir()]

    assert [name for name in [*catalogues, "simulation/data"] if f"\n{name}\n" not in notice] == []
