"""Pages of simulations: filled from configurations, refusing with all errors, comparing only what can be compared."""

import re

import pytest
from django.urls import reverse

from accounts.models import Account
from accounts.tests.factories import client_of, make_account, make_member
from catalog.models import BlueprintRole
from jobs.models import RunState
from orders.models import BillingOrder, BillingOrderItem, OrderContainer, OrderLine
from planner.configurations import configuration_of, parts_of_role
from planner.models import Simulation
from planner.simulations.fields import BLOCK_IO, BUILD, DOCUMENT_STORE, KV_STORE, OBJECT_STORE, WORKLOADS
from planner.simulations.filling import configuration_from, filled_from, sources_of
from planner.simulations.forms import default_words
from planner.tests.factories import NOW, work_all
from tests.servers import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def buyer(ana):
    return client_of(ana)


def ask(client, workload, **changes):
    words = default_words(WORKLOADS[workload]) | {"workload": workload}
    return client.post(
        reverse("simulation-new"), words | {name.replace("__", "."): each for name, each in changes.items()}
    )


def role_of(blueprint):
    return BlueprintRole.objects.select_related("blueprint", "package").get(blueprint__key_name=blueprint)


def container_with_lines(account, user, blueprint):
    """Order one machine of a blueprint's role, with a line for each of its parts."""
    role = role_of(blueprint)
    order = BillingOrder.objects.create(
        account=account, partner=account.partner, name="Night", currency="USD", created_by=user, created_at=NOW
    )
    item = BillingOrderItem.objects.create(order=order, name="databases")
    location = role.package.locations.order_by("key_name").first()
    container = OrderContainer.objects.create(
        order_item=item, package=role.package, location=location, term="monthly", quantity=3
    )
    for part in role.parts.select_related("category", "item"):
        OrderLine.objects.create(
            container=container,
            category_code=part.category.category_code,
            category_name=part.category.name,
            item=part.item,
            key_name=part.item.key_name,
            description=part.item.description,
        )
    return container


def test_the_first_page_shows_the_drives_form_and_only_its_fields(buyer):
    page = buyer.get(reverse("simulation-new")).content.decode()

    names = set(re.findall(r'name="([\w.]+)"', page)) - {"csrfmiddlewaretoken", "from", "viewport", "workload"}
    options = {"sweep_field", "sweep_values", "seed", "without_bands", "name"}
    assert {field.path for field in BLOCK_IO.fields} | options <= names
    assert "clients" not in names
    assert page.count('type="radio" name="workload"') == len(WORKLOADS)


def test_asking_starts_a_simulation_and_leads_to_its_page(buyer):
    answer = ask(buyer, "block_io")

    simulation = Simulation.objects.get()
    assert answer["Location"] == reverse("simulation-detail", args=[simulation.pk])
    page = buyer.get(answer["Location"]).content.decode()
    assert "Waiting for a worker: 0 of 2 turns" in page
    assert reverse("simulation-progress", args=[simulation.pk]) in page


def test_a_refused_question_keeps_what_was_typed_and_names_every_field(buyer):
    answer = ask(buyer, "block_io", array__drives="3", block_kib="eight", queue_depth="")

    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="eight"' in page
    for label in ("Number of drives", "Block size", "Queue depth"):
        assert re.search(rf'<li><a href="#[^"]+">{label}</a>', page), label
    assert not Simulation.objects.exists()


def test_a_done_simulation_shows_its_finding_and_can_be_asked_again_changed(buyer):
    address = ask(buyer, "block_io", sweep_field="array.drives", sweep_values="2, 4…8")["Location"]
    work_all()

    page = buyer.get(address).content.decode()

    assert re.search(r"<h1>At best [\d,]+ IOPS with 8 drives, limited by drives</h1>", page)
    again = re.search(r'href="(/simulate/new/\?[^"]+)"', page)
    assert again is not None
    form = buyer.get(again[1].replace("&amp;", "&")).content.decode()
    assert 'value="2, 4, 6, 8"' in form
    assert '<option value="array.drives" selected>' in form


@pytest.mark.parametrize("workload", WORKLOADS)
def test_every_workload_s_result_has_a_page(buyer, workload):
    address = ask(buyer, workload, without_bands="on", duration_seconds="20 s")["Location"]
    work_all()

    assert buyer.get(address).status_code == 200
    assert Simulation.objects.get().run.state == RunState.DONE


def test_a_poll_tells_to_load_the_page_again_once_the_run_is_finished(buyer):
    address = ask(buyer, "light_path")["Location"]

    waiting = buyer.get(f"{address}progress/")
    work_all()
    done = buyer.get(f"{address}progress/")

    assert "turns" in waiting.content.decode()
    assert (done["HX-Refresh"], done.content) == ("true", b"")


def test_cancelling_and_taking_up_again(buyer):
    address = ask(buyer, "light_path")["Location"]

    buyer.post(f"{address}cancel/")
    assert "This simulation was cancelled" in buyer.get(address).content.decode()
    buyer.post(f"{address}retry/")
    work_all()

    assert Simulation.objects.get().run.state == RunState.DONE


def test_two_finished_simulations_of_one_workload_are_compared(buyer):
    for drives in ("4", "8"):
        ask(buyer, "block_io", array__drives=drives)
    work_all()
    first, second = Simulation.objects.order_by("pk").values_list("pk", flat=True)

    page = buyer.get(reverse("simulation-compare"), {"first": first, "second": second}).content.decode()

    assert '<th scope="row">Number of drives</th><td>4</td><td>8</td>' in page
    assert 'data-figure="simulation-throughput"' in page


def test_what_cannot_be_compared_leads_back(buyer):
    ask(buyer, "block_io")
    ask(buyer, "light_path")
    work_all()
    drives, light = Simulation.objects.order_by("pk").values_list("pk", flat=True)
    compare = reverse("simulation-compare")

    other_workload = buyer.get(compare, {"first": drives, "second": light})
    nothing = buyer.get(compare, {"first": "x", "second": "²"})

    assert other_workload["Location"] == reverse("simulation-detail", args=[drives])
    assert nothing["Location"] == reverse("simulation-list")


def test_another_account_s_simulation_cannot_be_compared_with(buyer, account):
    for _ in range(2):
        ask(buyer, "block_io")
    work_all()
    first, second = Simulation.objects.order_by("pk").values_list("pk", flat=True)
    other = make_account(partner=account.partner, name="Bluewater Bank")
    stranger = client_of(make_member(other, email="ben@north.example", role="owner"))

    assert stranger.get(reverse("simulation-compare"), {"first": first, "second": second}).status_code == 404


def test_a_viewer_reads_and_does_not_ask(account):
    viewer = client_of(make_member(account, email="vic@north.example", role="viewer"))

    assert viewer.get(reverse("simulation-list")).status_code == 200
    assert viewer.get(reverse("simulation-new")).status_code == 403
    assert ask(viewer, "block_io").status_code == 403
    assert not Simulation.objects.exists()


def test_lists_and_results_keep_to_their_queries(buyer, django_assert_max_num_queries):
    address = ask(buyer, "block_io")["Location"]
    work_all()
    for _ in range(30):
        ask(buyer, "block_io")

    with django_assert_max_num_queries(8):
        buyer.get(reverse("simulation-list"))
    with django_assert_max_num_queries(8):
        buyer.get(address)


def test_a_blueprint_of_bare_metal_tells_its_node(shipped_catalogue):
    role = role_of("riak-medium-sas")
    configuration = configuration_of(title="x", quantity=role.quantity, parts=parts_of_role(role))

    assert configuration.array == {"drive_class": "sas_15k", "drives": 4, "raid": "raid10", "drive_gb": 300}
    assert (configuration.platform, configuration.cores, configuration.ram_gb) == ("bare_metal", 12, 36)
    assert (configuration.network_gbps, configuration.compute_units) == (2, None)
    filled = filled_from(configuration, KV_STORE)
    assert (filled.words["nodes"], filled.words["node.ram_gb"], filled.unknown) == ("5", "36 GB", ())


def test_the_data_drives_are_the_largest_and_the_others_are_named(shipped_catalogue):
    role = role_of("mongo-large-ssd")
    filled = filled_from(configuration_of(title="x", quantity=1, parts=parts_of_role(role)), DOCUMENT_STORE)

    assert (filled.words["node.array.drive_class"], filled.words["node.array.drives"]) == ("ssd", "6")
    assert "The data lies on the largest drives; 2 × 64 GB SSD are left aside." in filled.notes


def test_a_virtual_machine_leaves_its_drives_open_and_says_so(shipped_catalogue, account):
    key = "machine:ec2-virtual-server/m1.large"
    configuration = configuration_from(key=key, account_id=account.pk)
    assert configuration is not None

    filled = filled_from(configuration, KV_STORE)
    assert filled.words["node.platform"] == "virtual"
    assert {"Drives", "Number of drives", "RAID level"} <= set(filled.unknown)
    assert "Cores" not in filled.unknown
    assert (filled.words["node.cores"], filled.words["node.compute_units"]) == ("", "4")
    assert filled.words["node.array.drives"] == ""
    assert filled_from(configuration, OBJECT_STORE).words["storage"] == configuration.machine_type
    assert filled_from(configuration, BUILD).words["vcpus"] == "2"


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_a_container_of_the_account_s_order_fills_the_form(shipped_catalogue, account, ana, buyer):
    container = container_with_lines(account, ana, "mongo-small")
    key = f"container:{container.pk}"

    page = buyer.get(reverse("simulation-new"), {"workload": "document_store", "from": key}).content.decode()

    assert "Filled in from Draft" in page
    assert "databases, 3 × " in page
    assert 'value="8 GB"' in page
    assert [each.key for each in dict(sources_of(account_id=account.pk))["From an order"]] == [key]


def test_every_machine_on_sale_is_a_source(shipped_catalogue, account):
    machines = dict(sources_of(account_id=account.pk))["Machines with the defaults of their package"]

    assert len(machines) == len({source.key for source in machines}) > 25
    unknown = [each.key for each in machines if not configuration_from(key=each.key, account_id=account.pk)]
    assert unknown == []


@pytest.mark.breaks_invariants("audit entries = changes of state")
def test_nobody_simulates_another_account_s_container(shipped_catalogue, account, ana):
    container = container_with_lines(account, ana, "mongo-small")
    other = make_account(partner=account.partner, name="Bluewater Bank")

    assert configuration_from(key=f"container:{container.pk}", account_id=other.pk) is None
    assert dict(sources_of(account_id=other.pk))["From an order"] == []
    assert Account.objects.count() == 2


@pytest.mark.parametrize(
    "key", ["", "machine:", "machine:x/y", "role:x", "role:²", "container:1", "moon:1", "role:" + "9" * 40]
)
def test_a_source_that_is_not_there_fills_nothing(key, account):
    assert configuration_from(key=key, account_id=account.pk) is None


def test_the_documentation_names_every_field():
    text = (ROOT / "docs" / "simulation.md").read_text()

    missing = [
        (workload.key, field.path)
        for workload in WORKLOADS.values()
        for field in workload.fields
        if f"`{field.path}`" not in next(line for line in text.splitlines() if line.startswith(f"| `{workload.key}`"))
    ]
    assert missing == []
