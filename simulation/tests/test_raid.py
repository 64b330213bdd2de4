import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.parameters import load_parameter_set
from simulation.raid import FEWEST_DRIVES, HOURS_PER_YEAR, layout_of, rebuild_hours, rebuild_loss_chance
from simulation.scenarios import ScenarioError
from simulation.tests.asking import value_of

PARAMETERS = load_parameter_set()


def ask(metric: str, **scenario: object) -> object:
    return value_of({"workload": "raid", **scenario}, metric, PARAMETERS)


@pytest.mark.parametrize(
    ("raid", "drives", "penalty", "usable", "may_fail"),
    [
        ("none", 1, 1, 1.0, 0),
        ("raid0", 4, 1, 1.0, 0),
        ("raid1", 2, 2, 0.5, 1),
        ("raid1", 3, 3, 1 / 3, 2),
        ("raid5", 4, 4, 0.75, 1),
        ("raid6", 8, 6, 0.75, 2),
        ("raid10", 4, 2, 0.5, 1),
        ("raid50", 8, 4, 0.75, 1),
    ],
)
def test_every_level_has_its_textbook_figures(raid, drives, penalty, usable, may_fail):
    layout = layout_of(raid=raid, drives=drives)

    assert (layout.write_penalty, layout.drives_that_may_fail) == (penalty, may_fail)
    assert layout.usable_fraction == pytest.approx(usable)


@pytest.mark.parametrize(("raid", "penalty"), [("raid1", 2), ("raid5", 4), ("raid6", 6), ("raid10", 2), ("raid50", 4)])
def test_the_penalty_needs_no_number_of_drives(raid, penalty):
    assert ask("write_penalty", raid=raid) == penalty


@pytest.mark.parametrize(
    ("raid", "drives", "field"),
    [
        ("raid5", 2, "drives"),
        ("raid6", 3, "drives"),
        ("raid10", 5, "drives"),
        ("raid50", 7, "drives"),
        ("raid7", 4, "raid"),
    ],
)
def test_an_impossible_layout_is_refused_by_the_name_of_the_field(raid, drives, field):
    with pytest.raises(ScenarioError) as refusal:
        layout_of(raid=raid, drives=drives)

    assert refusal.value.field == field


def test_reads_use_every_drive_and_writes_pay_the_penalty():
    common = {"raid": "raid10", "drives": 4, "single_drive_random_mb_s": 50.0}

    assert ask("random_mb_s", **common, read_fraction=1) == 200.0
    assert ask("random_mb_s", **common, read_fraction=0) == 100.0
    assert ask("random_mb_s", **common, read_fraction=0.5) == pytest.approx(200 / 1.5)


@pytest.mark.parametrize("field", ["raid", "drives", "single_drive_random_mb_s", "read_fraction"])
def test_a_missing_field_of_the_random_speed_is_named(field):
    scenario = {"raid": "raid5", "drives": 4, "single_drive_random_mb_s": 50.0, "read_fraction": 0.5}
    del scenario[field]

    with pytest.raises(ScenarioError, match=f"{field}: is missing"):
        ask("random_mb_s", **scenario)


@given(raid=st.sampled_from(sorted(FEWEST_DRIVES)), pairs=st.integers(3, 32), strips=st.floats(1, 500))
def test_a_larger_write_costs_more_in_all_and_less_for_each_strip(raid, pairs, strips):
    layout = layout_of(raid=raid, drives=2 * pairs)

    small, large = layout.write_ios(strips=strips), layout.write_ios(strips=2 * strips)

    assert layout.write_ios(strips=1) == layout.write_penalty
    assert small <= large * (1 + 1e-9)
    assert large / (2 * strips) <= small / strips * (1 + 1e-9)


def test_a_drive_of_a_terabyte_at_100_mb_s_is_rebuilt_in_under_three_hours():
    assert rebuild_hours(drive_gb=1000, rebuild_mb_s=100) == pytest.approx(10_000 / 3600)


def test_more_spare_copies_leave_a_rebuild_less_exposed():
    exposure = {
        raid: rebuild_loss_chance(
            layout=layout_of(raid=raid, drives=8), drive_gb=2000, rebuild_mb_s=50, failures_per_drive_year=0.05
        )
        for raid in ("raid0", "raid5", "raid6", "raid10")
    }

    assert exposure["raid0"] == 1.0
    assert exposure["raid6"] < exposure["raid10"] < exposure["raid5"] < 0.01


def test_a_rebuild_is_told_with_the_parameters_of_the_set():
    rebuilding = {"raid": "raid5", "drives": 8, "drive_gb": 2000}

    hours = ask("rebuild_hours", **rebuilding)

    assert hours == pytest.approx(2_000_000 / PARAMETERS.value("raid.rebuild_mb_s") / 3600)
    assert ask("rebuild_loss_chance", **rebuilding) == pytest.approx(
        7 * hours * PARAMETERS.value("raid.failures_per_drive_year") / HOURS_PER_YEAR
    )
    assert ask("rebuild_loss_chance", raid="raid0", drives=8, drive_gb=2000) == 1.0


@given(drives=st.integers(4, 63), drive_gb=st.floats(10, 20_000))
def test_more_or_larger_drives_leave_a_rebuild_more_exposed(drives, drive_gb):
    here = ask("rebuild_loss_chance", raid="raid6", drives=drives, drive_gb=drive_gb)

    assert 0 < here <= ask("rebuild_loss_chance", raid="raid6", drives=drives + 1, drive_gb=drive_gb) <= 1
    assert here <= ask("rebuild_loss_chance", raid="raid6", drives=drives, drive_gb=2 * drive_gb) <= 1


@pytest.mark.parametrize(("metric", "field"), [("rebuild_hours", "drive_gb"), ("rebuild_loss_chance", "drives")])
def test_a_missing_field_of_a_rebuild_is_named(metric, field):
    rebuilding = {"raid": "raid5", "drives": 8, "drive_gb": 2000}
    del rebuilding[field]

    with pytest.raises(ScenarioError, match=f"{field}: is missing"):
        ask(metric, **rebuilding)
