from decimal import Decimal

import pytest

from simulation.machines import EC2_2012_04, machine_of_type, resolve_machine
from simulation.parameters import load_parameter_set
from simulation.tests.networks import machine


def test_the_list_of_april_2012_has_its_13_types():
    assert len(EC2_2012_04) == 13
    assert {key_name for key_name, row in EC2_2012_04.items() if row.bursts} == {"t1.micro"}


@pytest.mark.parametrize(
    ("proxies", "proxy", "nodes", "storage", "monthly"),
    [
        (1, "cc1.4xlarge", 5, "m1.medium", "1512.00"),
        (1, "cc1.4xlarge", 15, "m1.small", "1800.00"),
        (1, "cc1.4xlarge", 60, "t1.micro", "1800.00"),
        (8, "m1.large", 40, "m1.small", "4147.20"),
        (4, "cc1.4xlarge", 20, "m1.medium", "6048.00"),
    ],
)
def test_list_prices_of_720_hours_give_the_known_sums(proxies, proxy, nodes, storage, monthly):
    hourly = proxies * EC2_2012_04[proxy].price_per_hour + nodes * EC2_2012_04[storage].price_per_hour

    assert hourly * 720 == Decimal(monthly)


def test_a_published_network_figure_is_not_marked_as_assumed():
    large = machine_of_type(EC2_2012_04["m1.large"], parameters=load_parameter_set())

    assert (large.network_mb_s, large.network_is_assumed) == (100.0, False)


def test_an_unpublished_network_figure_is_the_assumption_for_the_io_class():
    parameters = load_parameter_set().with_values({"machine.network_moderate_mb_s": 37.0})

    small = machine_of_type(EC2_2012_04["m1.small"], parameters=parameters)

    assert (small.network_mb_s, small.network_is_assumed) == (37.0, True)


def test_a_machine_without_network_figure_or_io_class_is_refused():
    with pytest.raises(ValueError, match="I/O class 'Unknown'"):
        resolve_machine(
            key_name="x",
            compute_units=1.0,
            network_mb_s=None,
            io_class="Unknown",
            local_storage_gb=0.0,
            bursts=False,
            parameters=load_parameter_set(),
        )


@pytest.mark.parametrize("field", ["compute_units", "network_mb_s"])
def test_an_impossible_machine_is_refused_by_the_name_of_the_field(field):
    with pytest.raises(ValueError, match=field):
        machine(**{field: 0.0})
