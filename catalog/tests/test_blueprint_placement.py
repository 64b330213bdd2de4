"""Where the services of a blueprint stand: rules as plain values."""

from hypothesis import given
from hypothesis import strategies as st

from catalog.blueprint_placement import Need, ServiceRule, parts_with_needs, services_place

CONTROLLER, COMPUTE = "Controller", "Compute nodes"
UPLINK = Need("port_speed", "10 Gb")
BLOCKS = (Need("disk_controller", "RAID 10"), Need("disk0", "SAS", 4))
RULES: tuple[ServiceRule[str], ...] = (
    ServiceRule("compute", "Compute", "Compute control", CONTROLLER, COMPUTE),
    ServiceRule("network", "Networking", "Network nodes", CONTROLLER, COMPUTE, needs=(UPLINK,)),
    ServiceRule("image", "Image store", "Image nodes", CONTROLLER, shares_up_to=36),
    ServiceRule("block", "Block store", "Block nodes", CONTROLLER, shares_up_to=36, needs=BLOCKS),
    ServiceRule("database", "Database", "Database servers", CONTROLLER),
)
OWN_ROLES = [rule.role for rule in RULES]
counts = st.integers(min_value=0, max_value=60)
machines_of = st.fixed_dictionaries(
    {CONTROLLER: st.integers(min_value=1, max_value=5), COMPUTE: counts} | dict.fromkeys(OWN_ROLES, counts)
)


def places(machines):
    placement = services_place(rules=RULES, machines=machines)
    return {rule.key_name: role for role, rules in placement.services.items() for rule in rules}


def carrying(machines):
    """Count the machines on which some service stands."""
    placement = services_place(rules=RULES, machines=machines)
    return sum(machines[role] for role in placement.services)


@given(machines_of)
def test_every_service_stands_once_on_machines_that_are_there(machines):
    placement = services_place(rules=RULES, machines=machines)

    stands = [rule.key_name for rules in placement.services.values() for rule in rules]
    assert sorted(stands) == sorted(rule.key_name for rule in RULES)
    assert all(machines[role] for role in (*placement.services, *placement.agents))
    assert (placement.homeless, placement.violations) == ((), ())


@given(machines_of)
def test_a_service_shares_only_while_its_own_role_has_no_machine(machines):
    assert places(machines) == {rule.key_name: rule.role if machines[rule.role] else CONTROLLER for rule in RULES}


@given(machines_of, st.sampled_from([CONTROLLER, COMPUTE, *OWN_ROLES]), st.integers(min_value=1, max_value=9))
def test_more_machines_never_place_fewer_services_or_carry_them_on_fewer(machines, role, more):
    larger = machines | {role: machines[role] + more}

    assert len(places(larger)) == len(places(machines))
    assert carrying(larger) >= carrying(machines)


@given(machines_of)
def test_the_warnings_name_exactly_what_shares_in_too_large_a_whole(machines):
    placement = services_place(rules=RULES, machines=machines)
    total = sum(machines.values())

    late = [
        name for name, role in (("Image store", "Image nodes"), ("Block store", "Block nodes")) if not machines[role]
    ]
    expected = []
    if total > 36 and late:
        share, have = ("share", "give them machines") if len(late) == 2 else ("shares", "give it a machine")
        expected = [
            f"{' and '.join(late)} still {share} the Controller in a whole of {total:,} machines. "
            f"Beyond 36 {have} of {'their' if len(late) == 2 else 'its'} own."
        ]
    assert [warning.words for warning in placement.warnings] == expected
    assert {(warning.code, warning.field) for warning in placement.warnings} <= {("services_share", "roles.Controller")}


@given(machines_of)
def test_needs_go_where_the_service_stands(machines):
    placement = services_place(rules=RULES, machines=machines)

    for rule in RULES:
        home = rule.role if machines[rule.role] else CONTROLLER
        assert set(rule.needs) <= set(placement.needs(home))


def test_agents_run_on_every_machine_of_their_role_unless_the_service_stands_there_itself():
    rules = (
        ServiceRule("compute", "Compute", CONTROLLER, "", COMPUTE),
        ServiceRule("queue", "Queue", COMPUTE, "", COMPUTE),
    )

    placement = services_place(rules=rules, machines={CONTROLLER: 1, COMPUTE: 3})

    assert {role: [rule.key_name for rule in found] for role, found in placement.agents.items()} == {
        COMPUTE: ["compute"]
    }


def test_a_service_without_any_machine_is_told():
    rules = (ServiceRule("database", "Database", "Database servers"),)

    placement = services_place(rules=rules, machines={CONTROLLER: 1, "Database servers": 0})

    assert [(each.code, each.field, each.words) for each in placement.violations] == [
        ("service_homeless", "roles.Database servers", "Database stands nowhere. Ask for at least 1 Database servers.")
    ]


def test_an_uplink_is_replaced_and_drives_come_into_the_next_free_slots():
    parts = [
        ("server", "2U"),
        ("disk0", "SAS"),
        ("disk1", "SAS"),
        ("disk_controller", "RAID 1"),
        ("port_speed", "1 Gb"),
    ]

    assert parts_with_needs(parts, (UPLINK, *BLOCKS)) == (
        ("server", "2U"),
        ("disk0", "SAS"),
        ("disk1", "SAS"),
        ("port_speed", "10 Gb"),
        ("disk_controller", "RAID 10"),
        ("disk2", "SAS"),
        ("disk3", "SAS"),
        ("disk4", "SAS"),
        ("disk5", "SAS"),
    )
    assert parts_with_needs([("disk1", "SSD")], [Need("disk0", "SAS", 2)]) == (
        ("disk1", "SSD"),
        ("disk0", "SAS"),
        ("disk2", "SAS"),
    )


def test_without_needs_a_machine_stays_as_it_is():
    assert parts_with_needs([("server", "2U")], ()) == (("server", "2U"),)
