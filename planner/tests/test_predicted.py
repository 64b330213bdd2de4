"""What a configuration is predicted to do: figures from its parts, and the unknown said instead of guessed."""

import pytest

from planner.configurations import Configuration, DriveGroup
from planner.predicted import array_figures, load_shipped, measured_accesses, predicted_of
from simulation.block_io import iops

SAS = DriveGroup("sas_15k", 300.0, 4, "300 GB SAS (15K RPM)")
SATA = DriveGroup("sata_7k", 1000.0, 1, "1.00 TB SATA")


def make_configuration(*drives, **told):
    facts = {
        "title": "Server",
        "quantity": 1,
        "platform": "bare_metal",
        "cores": 12,
        "compute_units": None,
        "ram_gb": 36.0,
        "network_gbps": 1.0,
        "machine_type": None,
        "raid": "raid10",
        "notes": (),
    }
    return Configuration(drives=drives, **(facts | told))


def test_an_array_that_was_measured_is_calibrated():
    """fio.md4sas.data.read was published at 1,720 IOPS."""
    figure = predicted_of(make_configuration(SAS)).figure("random_read")

    assert (figure.unit, figure.basis, figure.price_unit) == ("IOPS", "calibrated", "kIOPS")
    assert figure.low < 1720 < figure.high
    assert figure.value == pytest.approx(1720, rel=0.08)
    assert figure.priced_amount == figure.value / 1000


def test_the_figure_is_the_model_of_the_same_scenario():
    scenario = {
        "workload": "block_io",
        "array": {"drive_class": "sas_15k", "drives": 4, "raid": "raid10"},
        "mount": "data",
        "block_kib": 1024,
        "queue_depth": 32,
        "access": "sequential",
        "operation": "write",
    }

    figure = predicted_of(make_configuration(SAS)).figure("sequential_write")

    assert figure.value == pytest.approx(iops(scenario, load_shipped()) * 1.048576)
    assert (figure.unit, figure.price_unit) == ("MB/s", "MB/s")


def test_what_nobody_measured_is_assumed_with_a_wider_band():
    calibrated = predicted_of(make_configuration(SAS)).figure("random_read")
    assumed = predicted_of(make_configuration(SATA, raid="none")).figure("random_read")

    assert (calibrated.basis, assumed.basis) == ("calibrated", "assumed")
    assert assumed.high / assumed.low > calibrated.high / calibrated.low


@pytest.mark.parametrize("raid", ["none", "raid0", "raid1", "raid5", "raid6", "raid10", "raid50"])
@pytest.mark.parametrize("drive_class", ["sata_7k", "sas_10k", "sas_15k", "ssd", "nvme", "network"])
def test_every_figure_lies_inside_its_band(drive_class, raid):
    for figure in array_figures(drive_class, 6, raid):
        assert 0 < figure.low <= figure.value <= figure.high


def test_a_read_was_measured_at_any_raid_level_a_write_only_with_as_many_drive_writes():
    reads = {figure.key: figure.basis for figure in array_figures("ssd", 4, "raid5")}

    assert ("ssd", "random", "read", 0) in measured_accesses()
    assert (reads["random_read"], reads["random_write"]) == ("calibrated", "assumed")


def test_a_drive_alone_needs_no_raid_level():
    predicted = predicted_of(make_configuration(SATA, raid=None))

    assert predicted.unknown == ()
    assert predicted.arrays[0].words == "1 × 1.00 TB SATA"
    assert predicted.figure("usable").value == 1000.0


def test_usable_capacity_follows_the_raid_level():
    assert predicted_of(make_configuration(SAS)).figure("usable").value == 600.0
    assert predicted_of(make_configuration(DriveGroup("ssd", None, 4, "SSD"))).figure("usable") is None


@pytest.mark.parametrize(
    ("drive", "raid", "words"),
    [
        (DriveGroup(None, 300.0, 2, "a tape"), "raid1", "2 × a tape: the catalogue does not say what kind of drive"),
        (SAS, None, "4 × 300 GB SAS (15K RPM): no RAID level is chosen."),
        (DriveGroup("ssd", 64.0, 3, "SSD"), "raid10", "3 × SSD: raid10 needs an even number of drives, not 3."),
    ],
)
def test_what_the_drives_leave_unsaid_is_named_and_not_guessed(drive, raid, words):
    predicted = predicted_of(make_configuration(drive, raid=raid))

    assert predicted.arrays == ()
    assert predicted.figure("random_read") is None
    assert predicted.unknown[0].startswith(words)


def test_the_network_is_the_uplink_less_its_headers():
    figure = predicted_of(make_configuration(SAS, network_gbps=2.0)).network

    share = load_shipped().parameters["link.ethernet.payload_share"]
    assert (figure.value, figure.low, figure.high) == (250 * share.value, 250 * share.low, 250 * share.high)
    assert figure.basis == "specification"


def test_a_published_rate_of_a_machine_type_is_taken_as_it_is():
    figure = predicted_of(make_configuration(platform="virtual", network_gbps=0.8, raid=None)).network

    assert (figure.value, figure.has_band, figure.basis) == (100.0, False, "published")


def test_the_word_of_a_seller_for_the_network_is_an_assumption_with_its_interval():
    predicted = predicted_of(make_configuration(platform="virtual", network_gbps=None, raid=None), io_class="Moderate")

    assumed = load_shipped().parameters["machine.network_moderate_mb_s"]
    figure = predicted.network
    assert (figure.value, figure.low, figure.high, figure.basis) == (
        assumed.value,
        assumed.low,
        assumed.high,
        "assumed",
    )
    assert predicted.unknown == ("Its local drives: nobody published what kind they are, so no I/O is predicted.",)


def test_nothing_known_is_nothing_predicted():
    predicted = predicted_of(make_configuration(network_gbps=None, raid=None))

    assert predicted.figures == ()
    assert len(predicted.unknown) == 2


def test_each_kind_of_drive_is_an_array_of_its_own_and_that_is_said():
    predicted = predicted_of(make_configuration(SAS, DriveGroup("ssd", 64.0, 2, "64 GB SSD")))

    assert [array.words for array in predicted.arrays] == [
        "4 × 300 GB SAS (15K RPM), RAID 10",
        "2 × 64 GB SSD, RAID 10",
    ]
    assert predicted.figure("random_read").value < predicted.arrays[1].figures[0].value
    assert predicted.notes == ("Each kind of drive is taken to be an array of its own, of the RAID level chosen.",)
