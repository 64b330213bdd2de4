"""From virtual to physical: the published example, tables that are never mixed, what each loser misses."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import Account, User
from accounts.tests.factories import (
    client_of,
    make_account,
    make_member,
    make_operator,
    make_partner,
    make_partner_staff,
)
from core.clock import now
from core.errors import InputRefused, RuleBroken
from planner.advice.answering import advice_answer
from planner.mapping.machines import left_out
from planner.mapping.models import ImportedScoreTable
from planner.mapping.of_plan import replacement_of
from planner.mapping.page import cpu_list
from planner.mapping.services import score_table_import
from planner.models import Advice
from planner.tests.advice.factories import (
    Ware,
    answer_of,
    ask,
    make_answered_advice,
    make_market,
    make_shop,
    read_market,
)
from planner.tests.factories import make_answered_plan
from simulation.parameters import load_parameter_set

PARAMETERS = load_parameter_set()
KEY = "virtual_to_physical"
PUBLISHED = {
    "score": "7,295",
    "table": "2014",
    "memory": "7 GB",
    "read": "100–120 MB/s",
    "write": "70–80 MB/s",
    "network": "100 MB/s",
}
OURS = "suite,version,cpu,score\nOur Mark,3,E5-2620 v3,9000\nOur Mark,3,E3-1270,4000\n"
SHOP = {
    "server": [
        Ware("One E5649", "50", {"processors": "1", "disk_slots": "4"}),
        Ware("One L5640", "40", {"processors": "1", "disk_slots": "4"}),
        Ware("One E3-1245", "60", {"processors": "1", "disk_slots": "4"}),
        Ware("One E5-2690 v4", "10", {"processors": "1", "disk_slots": "4"}),
    ],
    "ram": [Ware("4 GB RAM", "5", {"memory_gb": "4"}), Ware("8 GB RAM", "8", {"memory_gb": "8"})],
    "port_speed": [
        Ware("100 Mbps Uplink", "0", {"uplink_mbps": "100"}),
        Ware("1 Gbps Uplink", "20", {"uplink_mbps": "1000"}),
    ],
    "disk_controller": [Ware("Non-RAID", "0")],
    "disk0": [Ware("500 GB SATA", "10", {"capacity_gb": "500"}), Ware("400 GB SSD", "90", {"capacity_gb": "400"})],
}


def answer(**words: str) -> dict:
    market = make_market(make_shop(SHOP, slots=4))
    return advice_answer(asked=ask(KEY, **(PUBLISHED | words)), market=market, parameters=PARAMETERS)


def parts_of(row: dict) -> list[str]:
    return [part["description"] for role in row["roles"] for part in role["parts"]]


@pytest.mark.django_db
def test_the_published_example_comes_out_of_the_shipped_catalogue(ec2: None, account: Account) -> None:
    asked = ask(KEY, **PUBLISHED)

    best = advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)["best"]

    figures = {figure["key"]: figure["value"] for figure in best["figures"]}
    assert {"8 GB DDR3 1333", "1.00 TB SATA", "1 Gbps Public & Private Network Uplinks"} <= set(parts_of(best))
    assert figures["memory"] == 8
    assert figures["network"] == 125
    assert figures["read"] >= 0.9 * 120
    assert figures["write"] >= 80
    assert best["monthly_cost"] == "169.50"


def test_the_published_example_takes_the_cheapest_within_the_margin() -> None:
    found = answer()

    assert parts_of(found["best"]) == ["One E5649", "8 GB RAM", "1 Gbps Uplink", "Non-RAID", "500 GB SATA"]
    assert found["best"]["monthly_cost"] == "88.00"
    assert [row["title"].partition(",")[0] for row in found["runners_up"]] == ["One E3-1245"]


def test_without_a_margin_only_what_scores_as_much_is_taken() -> None:
    assert parts_of(answer(margin="0", read="110 MB/s")["best"])[0] == "One E3-1245"


def test_a_flash_drive_is_taken_where_the_margin_does_not_reach() -> None:
    assert "500 GB SATA" in parts_of(answer(read="127 MB/s")["best"])
    assert "400 GB SSD" in parts_of(answer(read="128 MB/s")["best"])


def test_memory_has_no_margin() -> None:
    assert "8 GB RAM" in parts_of(answer(memory="4.1 GB")["best"])
    assert "4 GB RAM" in parts_of(answer(memory="4 GB")["best"])


def test_a_loser_is_told_with_what_it_misses_and_by_how_much() -> None:
    market = make_market(make_shop(SHOP, slots=4))

    demand = ask(KEY, **(PUBLISHED | {"score": "8,500"})).demand
    found = {each.name: each.reason for each in left_out(market, demand, PARAMETERS)}

    assert found == {
        "One E5649 (Server)": "It misses CPU with margin: 7,991 of 8,500 points, 6 % short.",
        "Server: One L5640, One E5-2690 v4": (
            "Their processors have no score in the table CPU Mark, 2014: bring one that has them."
        ),
    }


def test_the_cpu_list_rests_on_one_table_and_says_what_the_study_named() -> None:
    part = cpu_list(ask(KEY, **PUBLISHED).demand)

    assert part["table"] == "CPU Mark, 2014"
    assert [(row["processor"], row["verdict"]) for row in part["rows"]] == [
        ("E3-1270", "enough"),
        ("E3-1245", "enough"),
        ("E5649", "within the margin"),
    ]
    assert [(row["processor"], row["verdict"]) for row in part["study"]] == [
        ("E3-1245", "at or above 7,295"),
        ("L5640", "below 7,295"),
        ("E5649", "below 7,295"),
    ]
    assert [version for version, _ in part["study"][0]["scores"]] == ["2014", "2017", "2020 (before version 10)"]


def test_own_scores_stand_instead_of_the_table() -> None:
    demand = ask(KEY, scores=OURS).demand

    assert demand.table.name == "Our Mark, 3"
    assert demand.table.scores == {"E5-2620 v3": 9000.0, "E3-1270": 4000.0}


def test_own_scores_of_mixed_versions_are_refused_with_every_line() -> None:
    with pytest.raises(InputRefused) as refused:
        ask(KEY, scores=f"{OURS}Our Mark,4,E5649,1\nOther,3,L5640,2\n", memory="much")

    told = [(each.field, each.words.partition(":")[0]) for each in refused.value.violations]
    assert told == [
        ("memory", "“much” is no quantity. Write it like 300 GB."),
        ("scores", "Line 4"),
        ("scores", "Line 5"),
    ]


@pytest.mark.parametrize(
    ("typed", "speed"), [("100–120 MB/s", 120), ("100-120", 120), ("1 GB/s", 1000), ("90 MB/s to 0.1 GB/s", 100)]
)
def test_of_a_measured_range_the_higher_end_counts(typed: str, speed: float) -> None:
    assert ask(KEY, read=typed).demand.read_mb_s == speed


def test_the_speed_of_drives_may_be_left_out() -> None:
    demand = ask(KEY, read="Any", write="").demand

    assert (demand.read_mb_s, demand.write_mb_s) == (None, None)


@pytest.mark.parametrize("typed", ["fast", "100–", "0", "1–2–3", "-5"])
def test_what_is_no_speed_is_refused(typed: str) -> None:
    with pytest.raises(InputRefused) as refused:
        ask(KEY, read=typed)

    assert [each.field for each in refused.value.violations] == ["read"]


def import_table(account: Account, user: User, text: str = OURS) -> ImportedScoreTable:
    return score_table_import(partner=account.partner, user=user, text=text, source="Our laboratory", now=now())


@pytest.mark.django_db
def test_an_imported_table_goes_into_the_question_and_stays_when_it_is_removed(
    ec2: None, account: Account, ana: User
) -> None:
    table = import_table(account, ana)
    advice = make_answered_advice(account, ana, KEY, table=f"imported-{table.pk}", score="3,000", read="any", write="")
    table.delete()

    page = client_of(ana).get(reverse("advice-detail", args=[advice.pk])).content.decode()

    assert "E3-1270" in answer_of(advice)["best"]["title"]
    assert "<strong>Our Mark, 3</strong>" in page
    assert "Our laboratory" in page


@pytest.mark.django_db
def test_another_partners_table_cannot_be_asked_with(ec2: None, account: Account, ana: User) -> None:
    other = make_account(partner=make_partner("South"), name="Else")
    table = import_table(other, make_member(other, email="else@south.example"))
    buyer = client_of(ana)

    refused = buyer.post(reverse("advice-new", args=[KEY]), {"table": f"imported-{table.pk}"})

    assert refused.status_code == 422
    assert "There is no such imported table here." in refused.content.decode()
    assert f"imported-{table.pk}" not in buyer.get(reverse("advice-new", args=[KEY])).content.decode()
    assert not Advice.objects.exists()


@pytest.mark.django_db
def test_a_suite_and_version_is_imported_once(account: Account, ana: User) -> None:
    import_table(account, ana)

    with pytest.raises(RuleBroken) as refused:
        import_table(account, ana)
    with pytest.raises(InputRefused) as wrong:
        score_table_import(partner=None, user=ana, text="nothing", source=" ", now=now())

    assert refused.value.code == "table_exists"
    assert [each.field for each in wrong.value.violations] == ["source", "file"]
    assert ImportedScoreTable.objects.count() == 1


@pytest.mark.django_db
def test_a_table_with_a_nul_character_is_refused(ana: User) -> None:
    with pytest.raises(InputRefused) as refused:
        score_table_import(partner=None, user=ana, text=OURS.replace("Our Mark", "Our\x00Mark"), source="Us", now=now())

    told = "There is a NUL character in it, which no text has. Send the table as plain text."
    assert [(each.field, each.words) for each in refused.value.violations] == [("file", told)]
    assert not ImportedScoreTable.objects.exists()


@pytest.mark.django_db
def test_partner_staff_import_look_at_and_remove_a_table(account: Account) -> None:
    staff = client_of(make_partner_staff(account.partner))
    address = reverse("score-tables")
    bad = staff.post(
        address, {"file": SimpleUploadedFile("a.csv", f"{OURS}Our Mark,4,E5649,1".encode()), "source": "X"}
    )
    good = staff.post(address, {"file": SimpleUploadedFile("a.csv", OURS.encode()), "source": "Our laboratory"})
    table = ImportedScoreTable.objects.get()
    shown = staff.get(good["Location"]).content.decode()
    staff.post(reverse("score-table-remove", args=[table.pk]))

    assert bad.status_code == 422
    assert "Line 4: the version is “4”, above it is “3”" in bad.content.decode()
    assert table.partner == account.partner
    assert "E5-2620 v3" in shown
    assert "9,000" in shown
    assert not ImportedScoreTable.objects.exists()


@pytest.mark.django_db
def test_everybodys_table_is_the_operators_to_remove(account: Account) -> None:
    operator = make_operator()
    table = score_table_import(partner=None, user=operator, text=OURS, source="Us", now=now())
    staff = client_of(make_partner_staff(account.partner))

    seen = staff.get(reverse("score-table", args=[table.pk]))
    refused = staff.post(reverse("score-table-remove", args=[table.pk]))

    assert seen.status_code == 200
    assert refused.status_code == 404
    assert ImportedScoreTable.objects.get() == table


@pytest.mark.django_db
def test_a_plans_machines_are_asked_for_as_servers(ec2: None, account: Account, ana: User) -> None:
    plan = make_answered_plan(account, ana)
    best = (plan.run.result or {})["best"]

    page = client_of(ana).get(reverse("plan-physical", args=[plan.pk, "storage"]), follow=True).content.decode()
    replacement = replacement_of(plan, "storage")

    assert replacement.words["count"] == str(best["storage_nodes"])
    assert ask(KEY, **replacement.words).demand.table.version == "2022-08 (version 10)"
    assert f'value="{replacement.words["score"]}"' in page
    assert "are taken for" in page
