"""Build farm: how many machines, what waiting was promised, where more processors stop helping, what a build costs."""

import pytest

from accounts.models import Account
from core.errors import InputRefused
from planner.advice.answering import advice_answer
from planner.advice.build_farm import KIND
from planner.advice.build_farm_machines import LATE, Project, speed_of
from planner.tests.advice.factories import Ware, ask, make_market, make_shop, read_market
from simulation.build import knee
from simulation.parameters import load_parameter_set
from simulation.shared_machines import late_share

PARAMETERS = load_parameter_set()
SERVERS = {
    "server": [
        Ware("Single Intel Xeon E3-1270 (4 Cores)", "80", {"cores": "4", "processors": "1"}),
        Ware("Dual Intel Xeon E5-2620 (12 Cores)", "150", {"cores": "12", "processors": "2"}),
        Ware("Dual Intel Xeon E5-2650 (16 Cores)", "200", {"cores": "16", "processors": "2"}),
    ],
    "ram": [Ware("2 GB", "5", {"memory_gb": "2"}), Ware("8 GB", "30", {"memory_gb": "8"})],
}


def answer(**words: str) -> dict:
    return advice_answer(
        asked=ask("build_farm", **words), market=make_market(make_shop(SERVERS)), parameters=PARAMETERS
    )


def figures_of(row: dict) -> dict[str, float]:
    return {figure["key"]: figure["value"] for figure in row["figures"]}


def project(**changed: object) -> Project:
    return Project(**{"compiler": "gcc", "storage": "local_ssd", "working_set_gb": 6.0, "size": 1.0, **changed})  # type: ignore[arg-type]


def test_today_is_what_the_times_are_scaled_by() -> None:
    demand = ask("build_farm", minutes="45 min", cpus="4", today_speed="75 %").demand

    assert demand.project.minutes(speed=0.75, processors=4, ram_gb=64, parameters=PARAMETERS) == pytest.approx(45)


def test_the_waiting_that_was_promised_is_kept_and_one_machine_fewer_would_not_keep_it() -> None:
    best = answer(developers="30", minutes="20 min", builds="6", wait="3 min")["best"]

    minutes, machines = figures_of(best)["minutes"], best["machines"]

    def late(count: int) -> float:
        return late_share(people=30, machines=count, job=minutes, pause=80 - minutes, patience=3)

    assert late(machines) <= LATE < late(machines - 1)
    assert figures_of(best)["developers"] >= 30


def test_a_busy_shared_storage_takes_more_machines_than_drives_of_their_own() -> None:
    assert answer(developers="40", storage="busy_san")["best"]["machines"] > answer(developers="40")["best"]["machines"]


def test_too_little_memory_starves_and_says_so() -> None:
    best = answer(developers="1", minutes="1 min", builds="1")["best"]

    assert figures_of(best)["ram"] == 2
    assert any("it starves" in note for note in best["notes"])
    starving = project().minutes(speed=1, processors=4, ram_gb=2, parameters=PARAMETERS)
    fed = project().minutes(speed=1, processors=4, ram_gb=6, parameters=PARAMETERS)
    assert starving - fed == pytest.approx(2 * PARAMETERS.value("build.starving_minutes"))


def test_a_compiler_with_a_long_serial_part_gains_less_from_processors() -> None:
    def bend(compiler: str) -> int:
        return knee(
            lambda n: project(compiler=compiler).minutes(speed=1, processors=n, ram_gb=8, parameters=PARAMETERS),
            most=64,
        )

    assert bend("msvc") < bend("gcc")


def test_the_knee_is_where_twice_as_many_first_save_less_than_a_fifth() -> None:
    """Of 10 + 90/n minutes: 45/n saved of 10 + 90/n is less than a fifth beyond 13.5 processors."""
    assert knee(lambda n: 10 + 90 / n, most=64) == 14
    assert knee(lambda n: 90 / n, most=64) == 64


def test_a_processor_without_a_score_is_left_out_with_the_reason() -> None:
    left = {each["name"]: each["reason"] for each in answer()["left_out"]}

    assert "No score of its processor" in left["Dual Intel Xeon E5-2650 (16 Cores) (Server)"]
    assert len(left) == 1


def test_a_core_of_the_reference_counts_as_about_one() -> None:
    shop = make_shop({"server": [Ware("Dual Intel Xeon E5-2670", "1", {"cores": "16", "processors": "2"})]})

    assert speed_of(shop.offered("server")[0], PARAMETERS) == pytest.approx(1, rel=0.1)


def test_a_build_that_must_end_after_the_next_one_begins_is_refused() -> None:
    with pytest.raises(InputRefused) as refused:
        ask("build_farm", builds="8", hours="8", within="60 min")

    assert [(each.code, each.field) for each in refused.value.violations] == [("too_slow", "within")]


def test_the_page_tells_what_a_build_costs_and_draws_the_curve() -> None:
    words = {"developers": "1", "minutes": "30 min", "builds": "2"}
    row = answer(**words)["best"]
    assert KIND.page_part

    part = KIND.page_part(words, row, "USD")

    facts = {fact["label"]: fact["words"] for fact in part["facts"]}
    assert row["machines"] == 1
    assert row["monthly_cost"] == "85.00"
    assert facts["Builds in a month"] == "42"
    assert facts["Cost of a build"] == "$2.02"
    assert facts["Mean wait for a machine"] == "0 min"
    processors = [int(line[0]) for line in part["panel"].rows]
    minutes = [float(line[1]) for line in part["panel"].rows]
    assert processors == sorted(processors)
    assert minutes == sorted(minutes, reverse=True)


@pytest.mark.django_db
def test_virtual_and_bare_metal_machines_are_ranked_in_one_list(ec2: None, account: Account) -> None:
    asked = ask("build_farm")

    found = advice_answer(asked=asked, market=read_market(account, asked), parameters=PARAMETERS)

    packages = {role["package"] for row in [found["best"], *found["runners_up"]] for role in row["roles"]}
    assert {"ec2-virtual-server", "benchmark-server"} <= packages
