"""Learning from measurements: what the real fio wrote changes the advice that rests on it, and no other."""

import json
import os
import shutil
import subprocess
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import Account, User
from accounts.tests.factories import client_of, make_account, make_member
from catalog.models import BlueprintRole, ItemPrice, Location
from core.errors import InputRefused, RuleBroken
from planner.fleet import Fleet
from planner.measurements.attaching import targets_of
from planner.measurements.calibrating import factors_for, parameters_for
from planner.measurements.pages import review_rows
from planner.measurements.reading.files import read_file
from planner.measurements.review import review_of
from planner.measurements.services import measurement_delete, measurement_keep, uploaded_of
from planner.models import Measurement, MeasurementFile
from planner.planning import plan_now
from planner.selectors import fleet_of
from planner.services import plan_start
from planner.simulations.asking import Question
from planner.simulations.fields import KV_STORE
from planner.simulations.scenarios import default_scenario
from planner.simulations.starting import simulation_start
from planner.tests.advice.factories import make_answered_advice
from planner.tests.factories import make_demand, work_all
from simulation.block_io import iops
from simulation.parameters import load_parameter_set
from simulation.refit import predicted_value

NOW = datetime(2031, 5, 3, 12, 3, tzinfo=UTC)
PARAMETERS = load_parameter_set()
MIRROR = {"drive_class": "sata_7k", "drives": 2, "raid": "raid1", "drive_gb": 500.0}
LOAD = {"mount": "data", "block_kib": 4.0, "queue_depth": 32, "access": "random", "operation": "write"}
DATA = Path(__file__).parent / "data"


@pytest.fixture
def catalogue(ec2: None) -> None:
    """The shipped catalogue without RAID 10: of the fast servers only the one with two mirrored drives is priced."""
    ItemPrice.objects.filter(item__key_name="RAID_10", item__source="benchmark-2012").delete()


def fio_or_skip() -> str:
    found = shutil.which("fio")
    if found is None and "RACKWRIGHT_TEST_DATA" in os.environ:
        pytest.fail("fio is not on the PATH, and bin/test needs it. On Debian: apt-get install fio")
    if found is None:
        pytest.skip("needs fio on the PATH")
    return found


def fio_results(folder: Path, *, share: float) -> bytes:
    """What fio writes about a file, scaled as if an array as slow as `share` of the predicted speed lay under it."""
    written = folder / "fio.json"
    options = ["--rw=randwrite", "--bs=4k", "--iodepth=32", "--ioengine=libaio", "--size=2m", "--runtime=2"]
    names = [f"--filename={folder / 'data'}", "--name=array", f"--output={written}", "--output-format=json"]
    subprocess.run([fio_or_skip(), *options, *names], check=True, capture_output=True, timeout=60)
    document = json.loads(written.read_text())
    side = document["jobs"][0]["write"]
    factor = share * iops({"workload": "block_io", "array": MIRROR, **LOAD}, PARAMETERS) / side["iops"]
    for key in ("iops", "bw_bytes", "bw"):
        side[key] *= factor
    return json.dumps(document).encode()


def mongo_role() -> BlueprintRole:
    return BlueprintRole.objects.get(blueprint__key_name="mongo-small")


def keep(account: Account, user: User, data: bytes, *, source: str = "", name: str = "") -> MeasurementFile:
    uploaded = uploaded_of(file_name="results.json", data=data, read=read_file(data))
    return measurement_keep(account=account, user=user, uploaded=uploaded, name=name, source=source, now=NOW)


def best_for(account: Account, **words: str) -> dict[str, object]:
    parameters = parameters_for(account)
    fleet = fleet_of(
        account=account,
        location=Location.objects.get(key_name="dal05"),
        hours_per_month=Decimal(720),
        at=NOW,
        parameters=parameters,
    )
    words.setdefault("balancer", fleet.balancer_here("cc2.8xlarge", parameters))
    best = plan_now(fleet=fleet, demand=make_demand(**words), parameters=parameters)["best"]
    return {name: best[name] for name in ("shape", "storage", "storage_nodes", "limit", "mb_s", "total_monthly_cost")}


def made_fio(*, share: float, depth: int = 32) -> bytes:
    """A file in fio's form about the mirrored drives, `share` of what is predicted for them."""
    rate = share * iops({"workload": "block_io", "array": MIRROR, **LOAD, "queue_depth": depth}, PARAMETERS)
    options = {"rw": "randwrite", "bs": "4k", "iodepth": str(depth), "ioengine": "libaio"}
    side = {"io_bytes": 1, "iops": rate, "bw_bytes": rate * 4096, "clat_ns": {"mean": 1e9 * depth / rate}}
    job = {"jobname": "array", "groupid": 0, "error": 0, "job options": options, "write": side}
    return json.dumps({"fio version": "fio-3.33", "jobs": [job]}).encode()


def test_an_array_that_the_real_fio_measured_slower_raises_the_number_of_nodes(catalogue, account, ana, tmp_path):
    demand = {"capacity": "40 TB", "throughput": "800 MB/s", "raid": "none"}
    before = best_for(account, **demand)
    client = client_of(ana)

    preview = client.post(
        reverse("measurement-new"),
        {"file": SimpleUploadedFile("fio.json", fio_results(tmp_path, share=0.7)), "kind": "", "decimal_sign": ""},
    )
    assert preview.status_code == 200
    assert Measurement.objects.count() == 0
    values = preview.context["form"].initial["values"]
    kept = client.post(reverse("measurement-keep"), {"values": values, "name": "", "source": f"role:{mongo_role().pk}"})

    file = MeasurementFile.objects.get()
    assert kept["Location"] == reverse("measurement-detail", args=[file.pk])
    taught = file.measurements.exclude(factor="").get()
    assert (taught.factor, taught.metric, taught.label) == ("drive.sata_7k", "iops", "array")
    assert taught.value / taught.predicted == pytest.approx(0.7)
    assert factors_for(account_id=account.pk)["drive.sata_7k"] < 0.8
    after = best_for(account, **demand)
    assert before["storage"].endswith("x2000gb-sata")
    assert after["storage"].endswith("x1000gb-sata")
    assert after["storage_nodes"] > before["storage_nodes"]

    measurement_delete(account=account, file_id=file.pk)

    assert best_for(account, **demand) == before


def test_a_slowed_array_changes_only_machines_with_its_drives(ec2, account, ana):
    keep(account, ana, made_fio(share=0.7), source=f"role:{mongo_role().pk}")

    location = Location.objects.get(key_name="dal05")
    shipped, learnt = (
        fleet_of(account=account, location=location, hours_per_month=Decimal(720), at=NOW, parameters=parameters)
        for parameters in (PARAMETERS, parameters_for(account))
    )

    known = {machine.key_name: machine for machine in learnt.nodes}
    machines = [(machine, known[machine.key_name]) for machine in shipped.nodes if machine.key_name in known]
    changed = {old.key_name for old, new in machines if old.machine != new.machine}
    assert changed == {old.key_name for old, _ in machines if old.machine.drive_class == "sata_7k"}
    assert 0 < len(changed) < len(machines)


def test_slowing_what_is_no_bottleneck_changes_no_advice(ec2, account, ana):
    plan = plan_start(
        account=account,
        user=ana,
        demand=make_demand(capacity="2 TB", throughput="175 MB/s", balancer="cc2.8xlarge"),
        location=Location.objects.get(key_name="us-east-1"),
        now=NOW,
    )
    work_all()
    plan.run.refresh_from_db()
    answered = plan.run.result

    file = keep(account, ana, made_fio(share=0.7), source=f"role:{mongo_role().pk}")
    work_all()

    file.review_run.refresh_from_db()
    (row,) = file.review_run.result["plans"]
    assert (row["plan_id"], row["is_changed"], row["reasons"]) == (plan.pk, False, [])
    assert row["old"] == row["new"]
    plan.run.refresh_from_db()
    assert plan.run.result == answered
    page = client_of(ana).get(reverse("measurement-detail", args=[file.pk]))
    assert b"None of 1 recent plan would be answered otherwise" in page.content


def test_a_plan_made_before_stays_and_the_page_says_how_it_would_be_answered_now(catalogue, account, ana):
    plan = plan_start(
        account=account,
        user=ana,
        demand=make_demand(capacity="40 TB", throughput="800 MB/s", raid="none", balancer="mongo-small"),
        location=Location.objects.get(key_name="dal05"),
        now=NOW,
    )
    work_all()
    plan.run.refresh_from_db()
    before = dict(plan.run.parameters)

    file = keep(account, ana, made_fio(share=0.7), source=f"role:{mongo_role().pk}")
    row = review_of(plan, factors=factors_for(account_id=account.pk))

    plan.run.refresh_from_db()
    assert plan.run.parameters == before
    assert "factors" not in before
    assert row["is_changed"]
    assert row["new"]["storage_nodes"] > row["old"]["storage_nodes"]
    machines = {reason.split(": writes of its disks 30.5 → 21.5 MB/s")[0] for reason in row["reasons"]}
    assert row["old"]["shape"].split()[-1] in machines
    measurement_delete(account=account, file_id=file.pk)
    again = review_of(plan, factors=factors_for(account_id=account.pk))
    assert (again["is_changed"], again["new"]) == (False, row["old"])


def test_layouts_that_a_plan_keeps_are_there_beside_those_that_are_worth_it_only_now(ec2, account):
    slowed = PARAMETERS.with_factors({"drive.sata_7k": 0.7})
    asked = {"account": account, "location": Location.objects.get(key_name="dal05"), "at": NOW}
    asked["hours_per_month"] = Decimal(720)

    def names(**more):
        return {machine.key_name for machine in fleet_of(**asked, **more).nodes}

    then, now = names(parameters=PARAMETERS), names(parameters=slowed)

    assert then - now
    assert now - then
    assert names(parameters=slowed, keep=then) == then | now


def test_before_is_the_answer_that_the_plan_shows_and_now_knows_what_its_simulations_taught(ec2, account, ana):
    plan = plan_start(
        account=account,
        user=ana,
        demand=make_demand(
            capacity="2 TB", throughput="175 MB/s", balancer="cc2.8xlarge", cost_basis="total", months="36"
        ),
        location=Location.objects.get(key_name="us-east-1"),
        now=NOW,
    )
    fleet, demand = Fleet.from_json(plan.run.parameters["fleet"]), plan.asked
    first = plan_now(fleet=fleet, demand=demand, parameters=PARAMETERS)["best"]
    group = {"proxy": first["proxy"], "storage": first["storage"], "nodes": first["nodes_per_proxy"]}
    taught = [{**group, "factor": 0.6}]
    shown = plan_now(fleet=fleet, demand=demand, parameters=PARAMETERS, corrections=taught)["best"]
    assert shown["shape"] != first["shape"]
    plan.run.result = {"best": shown, "phases": {"optimisation": [{"corrections": []}, {"corrections": taught}]}}

    row = review_of(plan, factors={})

    assert (row["old"]["shape"], row["old"]["cents"]) == (shown["shape"], shown["cents"])
    assert (row["new"], row["is_changed"], row["reasons"]) == (row["old"], False, [])
    (told,) = review_rows({"plans": [row]})
    assert told["old_words"] == f"2 balancers + {shown['shape']} at ${Decimal(shown['cost']):,} in 36 months"


def test_a_new_plan_keeps_what_was_measured_when_it_was_asked(catalogue, account, ana):
    file = keep(account, ana, made_fio(share=0.7), source=f"role:{mongo_role().pk}")
    factors = factors_for(account_id=account.pk)

    plan = plan_start(
        account=account,
        user=ana,
        demand=make_demand(capacity="1 TB", throughput="100 MB/s", balancer="mongo-small"),
        location=Location.objects.get(key_name="dal05"),
        now=NOW,
    )
    measurement_delete(account=account, file_id=file.pk)

    plan.run.refresh_from_db()
    assert plan.run.parameters["factors"] == factors
    assert factors_for(account_id=account.pk) == {}


def test_what_one_account_measured_teaches_no_other(ec2, account, ana):
    other = make_account(partner=account.partner, name="Other")

    keep(account, ana, made_fio(share=0.7), source=f"role:{mongo_role().pk}")

    assert factors_for(account_id=other.pk) == {}
    assert parameters_for(other) == PARAMETERS


def test_results_of_an_array_do_not_fit_what_has_none(ec2, account, ana):
    sources = [source.key for _, group in targets_of(account_id=account.pk) for source in group]
    virtual = next(key for key in sources if key.endswith("/m1.large"))

    with pytest.raises(InputRefused, match="no array is known"):
        keep(account, ana, made_fio(share=0.7), source=virtual)

    assert MeasurementFile.objects.count() == 0


def basho_summary(ops: float) -> bytes:
    """Two windows of ten seconds, the first of which is left out."""
    windows = [f"{end}, 10, {round(10 * ops)}, {round(10 * ops)}, 0" for end in (10, 20)]
    return "\n".join(["elapsed, window, total, successful, failed", *windows, ""]).encode()


def test_a_store_that_basho_bench_measured_slower_takes_more_machines_until_it_is_deleted(ec2, account, ana):
    store = default_scenario(KV_STORE) | {"duration_seconds": 30, "gets_per_put": 1}
    store["node"] = store["node"] | {"array": {"drive_class": "ssd", "drives": 2, "raid": "raid1", "drive_gb": 960}}
    question = Question(scenario=store, name="Five nodes", with_bands=False)
    simulation = simulation_start(account=account, user=ana, question=question, now=NOW)
    work_all()
    simulation.run.refresh_from_db()
    fast = predicted_value(store, "throughput_ops", PARAMETERS)
    asked = {"store": "key_value", "data": "500 GB", "ops": "9,000 ops/s", "clients": "200"}
    asked |= {"read_share": "50", "location": "dal05"}
    before = make_answered_advice(account, ana, "database", **asked).run.result["best"]

    file = keep(account, ana, basho_summary(0.5 * fast), source=f"simulation:{simulation.pk}")
    after = make_answered_advice(account, ana, "database", **asked).run.result["best"]
    (kept,) = file.measurements.all()
    factors = factors_for(account_id=account.pk)
    measurement_delete(account=account, file_id=file.pk)
    restored = make_answered_advice(account, ana, "database", **asked).run.result["best"]

    assert kept.factor == "kv_store.get_processor_ms"
    assert kept.predicted == simulation.run.result["points"][0]["figures"]["throughput_ops"]["value"]
    assert list(factors) == ["kv_store.get_processor_ms"]
    assert factors["kv_store.get_processor_ms"] > 2
    assert (before["machines"], after["machines"]) == (5, 8)
    assert restored == before


def test_a_machine_type_of_a_table_teaches_its_network(ec2, account, ana):
    table = b"configuration,value,unit\nm1.large,400,Mbit/s\nsomething,5,MB/s\n"

    file = keep(account, ana, table)

    network, other = file.measurements.all()
    assert (network.factor, network.metric, network.value) == ("network.m1.large", "network_mb_s", 50.0)
    assert (other.factor, other.predicted, other.scenario) == ("", None, {})
    taken = network.predicted
    fleet = fleet_of(
        account=account,
        location=Location.objects.get(key_name="us-east-1"),
        hours_per_month=Decimal(720),
        at=NOW,
        parameters=parameters_for(account),
    )
    large = next(each.machine for each in fleet.nodes if each.key_name == "m1.large")
    assert abs(large.network_mb_s - 50) < abs(taken - 50) * 0.05


def test_the_same_file_is_kept_once(db, account, ana):
    keep(account, ana, b"a,1\nb,2\n", name="first")

    with pytest.raises(RuleBroken, match="This file is here already: “first”") as refused:
        keep(account, ana, b"a,1\nb,2\n", name="second")

    assert refused.value.code == "file_known"
    assert list(MeasurementFile.objects.values_list("name", flat=True)) == ["first"]
    other = make_account(partner=account.partner, name="Other")
    keep(other, make_member(other, email="eva@north.example"), b"a,1\nb,2\n")
    assert MeasurementFile.objects.count() == 2


def test_a_file_that_cannot_be_read_keeps_nothing_and_says_everything(db, ana):
    wrong = SimpleUploadedFile("wrong.csv", b"configuration,value\na,-1\nb,much\n")

    page = client_of(ana).post(reverse("measurement-new"), {"file": wrong})

    assert page.status_code == 422
    assert [error.split(":")[0] for error in page.context["form"].errors["file"]] == ["Line 2", "Line 3"]
    assert MeasurementFile.objects.count() == 0


def test_values_that_somebody_changed_on_the_way_are_not_kept(account, ana):
    client = client_of(ana)
    page = client.post(reverse("measurement-new"), {"file": SimpleUploadedFile("a.csv", b"a,1\n")})
    values = page.context["form"].initial["values"]
    stranger = make_member(make_account(partner=account.partner, name="Stranger"), email="sam@north.example")

    changed = client.post(reverse("measurement-keep"), {"values": values[:-2], "name": "x", "source": ""})
    taken = client_of(stranger).post(reverse("measurement-keep"), {"values": values, "name": "x", "source": ""})

    assert (changed["Location"], taken["Location"]) == (reverse("measurement-new"),) * 2
    assert MeasurementFile.objects.count() == 0


def test_viewers_may_look_and_not_upload(db, account, ana):
    file = keep(account, ana, b"a,1\n", name="first")
    viewer = client_of(make_member(account, email="vic@north.example", role="viewer"))

    assert viewer.get(reverse("measurement-detail", args=[file.pk])).status_code == 200
    assert b"Delete" not in viewer.get(reverse("measurement-detail", args=[file.pk])).content
    assert viewer.get(reverse("measurement-new")).status_code == 403
    assert viewer.post(reverse("measurement-delete", args=[file.pk])).status_code == 403
    assert MeasurementFile.objects.count() == 1


@pytest.mark.parametrize("name", ["ycsb.txt", "cosbench.csv", "basho-summary.csv"])
def test_results_of_every_kind_are_kept_and_shown(db, account, ana, name):
    file = keep(account, ana, (DATA / name).read_bytes(), name=name)

    page = client_of(ana).get(reverse("measurement-detail", args=[file.pk]))

    assert page.status_code == 200
    assert f"<h1>{name}</h1>" in page.content.decode()
    assert file.measurements.count() == len(read_file((DATA / name).read_bytes()).readings)


def test_the_page_of_a_deleted_file_is_gone(db, account, ana):
    file = keep(account, ana, b"a,1\n")
    client = client_of(ana)

    gone = client.post(reverse("measurement-delete", args=[file.pk]))

    assert gone["Location"] == reverse("measurement-list")
    assert client.get(reverse("measurement-detail", args=[file.pk])).status_code == 404
    assert Measurement.objects.count() == 0
