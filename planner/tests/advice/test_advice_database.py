"""Database servers: bare metal beside virtual, journals of their own, and tiers that grow with what is asked."""

from collections.abc import Iterator
from random import Random

import pytest

from accounts.models import Account
from planner.advice.answering import advice_answer
from planner.advice.database import node_kinds
from planner.advice.database_nodes import Load, NodeKind, Tiers, held_gb, machines_of
from planner.advice.database_search import MOST_PARTS, fewest_shards, is_fast, smallest_tier, tier_of
from planner.tests.advice.database_case import PARAMETERS, market
from planner.tests.advice.factories import ask, read_market

pytestmark = pytest.mark.django_db


def answer(account: Account, **words: str) -> dict:
    asked = ask("database", **words)
    return advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)


def packages_of(row: dict) -> set[str]:
    return {role["package"] for role in row["roles"]}


def test_bare_metal_and_virtual_machines_are_ranked_beside_each_other(ec2: None, account: Account) -> None:
    found = answer(account)

    ranked = [packages_of(row) for row in (found["best"], *found["runners_up"])]
    assert {"ec2-virtual-server", "ec2-block-volume"} in ranked
    assert any(packages & {"benchmark-server", "BARE_METAL_SERVER"} for packages in ranked)


def test_a_separate_journal_is_two_ssds_beside_pairs_of_data_drives(ec2: None, account: Account) -> None:
    best = answer(account, location="dal05", journal="separate")["best"]

    disks = [part for part in best["roles"][0]["parts"] if part["category"].startswith("disk") and part["item_id"]]
    drives = [part["description"] for part in disks if part["category"] != "disk_controller"]
    controller = next(part for part in disks if part["category"] == "disk_controller")
    assert controller["description"] == "RAID 10"
    assert drives[0] == drives[1] == "64 GB SSD"
    assert len(drives) % 2 == 0
    assert "journal on 2 × 64 GB SSD" in best["title"]


def test_a_journal_of_its_own_never_slows_a_node(ec2: None, account: Account) -> None:
    shared = answer(account, location="dal05", journal="shared", data="100 GB")
    separate = answer(account, location="dal05", journal="separate", data="100 GB")

    assert shared["best"]["cents"] < separate["best"]["cents"]
    assert all("journal" not in row["title"] for row in (shared["best"], *shared["runners_up"]))


def test_copies_multiply_the_machines_of_a_document_store_and_not_what_they_hold(ec2: None, account: Account) -> None:
    one = answer(account, location="dal05", copies="1")["best"]
    three = answer(account, location="dal05", copies="3")["best"]

    assert three["machines"] == 3 * one["machines"]
    assert three["main"]["value"] == one["main"]["value"]
    assert any("three" in note or "3 copies" in note for note in one["notes"])


def test_a_latency_promise_takes_more_or_faster_nodes(ec2: None, account: Account) -> None:
    slow = answer(account, location="us-east-1", ops="100 ops/s")["best"]
    fast = answer(account, location="us-east-1", ops="100 ops/s", latency="20 ms")["best"]

    latency = {figure["key"]: figure["value"] for figure in fast["figures"]}["latency"]
    assert fast["cents"] > slow["cents"]
    assert latency <= 20


def test_every_figure_of_the_best_has_a_band_around_it(ec2: None, account: Account) -> None:
    best = answer(account, location="dal05")["best"]

    for figure in best["figures"][:2]:
        assert figure["low"] < figure["value"] < figure["high"]
        assert figure["basis"] in ("calibrated", "assumed")


def test_the_smallest_tier_is_the_first_of_all_that_do_what_is_asked() -> None:
    asked = ask("database", data="50 GB", ops="300 ops/s")
    checked = 0
    for seed in range(12):
        for kind in list(node_kinds(market(Random(seed)), asked.demand, PARAMETERS))[:20]:
            tiers = Tiers(asked.demand.load, PARAMETERS)
            fewest = fewest_shards(kind, asked.demand)
            every = [tier_of(kind, shards, asked.demand, tiers) for shards in range(fewest, MOST_PARTS + 1)]
            fast = [tier for tier in every if tier and is_fast(tier, asked.demand)]
            found = smallest_tier(kind, asked.demand, tiers, fewest)
            assert found == (fast[0] if fast else every[-1])
            checked += 1
    assert checked > 20


def test_a_key_value_store_keeps_copies_on_its_nodes_and_a_document_store_on_more_of_them() -> None:
    documents = Load("document", 100, 0.5, 10, 16, copies=3)
    values = Load("key_value", 100, 0.5, 10, 16, copies=3)
    kind = next(iter(_kinds()))

    assert (machines_of(documents, 4), machines_of(values, 4)) == (12, 4)
    assert held_gb(documents, kind, 4) == pytest.approx(4 * kind.data_gb)
    assert held_gb(values, kind, 4) == pytest.approx(4 / 3 * kind.data_gb)


def _kinds() -> Iterator[NodeKind]:
    return node_kinds(market(Random(3)), ask("database").demand, PARAMETERS)
