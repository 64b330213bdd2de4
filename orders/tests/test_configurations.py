"""Any configuration can be shown by a link that tells nothing else, and any two be set side by side."""

import re
from datetime import timedelta
from decimal import Decimal
from urllib.parse import quote

import pytest
from django.urls import reverse

from accounts.tests.factories import client_of, make_account, make_member, make_partner
from catalog.models import Blueprint, BlueprintPart, BlueprintRole
from catalog.pricing import Term
from core.clock import now
from core.errors import RuleBroken
from core.models import AuditEntry
from orders.bill_of_materials import parts_of
from orders.blueprint_offers import blueprint_offers
from orders.configurations import NoConfiguration, blueprint_reference, configuration_of
from orders.models import BillingOrder, OrderContainer, OrderLine, SharedConfiguration
from orders.quote_document import document_of
from orders.selectors import order_tree
from orders.sharing import configuration_revoke, configuration_share
from orders.tests.factories import NOW, PACKAGE, make_draft, replace_price, role

MACHINE = {"package": PACKAGE, "location": "us-east-1", "term": "hourly"}


def find(reference, account, *, at=NOW):
    return configuration_of(reference=reference, account=account, at=at)


def share(account, user, reference, *, at=NOW, valid_days=30):
    found = find(reference, account, at=at)
    return configuration_share(
        account=account,
        name=found.name,
        asked=found.asked,
        document=found.document,
        user=user,
        now=at,
        valid_days=valid_days,
    )


def address_of(shared):
    return reverse("configuration-shared", args=[shared.token])


def text_of(answer):
    return " ".join(answer.content.decode().split())


def composed(shop, quantity=2):
    item = shop.items["m1.small"]
    system = shop.items["debian"]
    choices = f"choice-machine_type={item.key_name}~{item.pk}&choice-os={system.key_name}~{system.pk}"
    return f"composed:package={PACKAGE}&location=us-east-1&term=hourly&quantity={quantity}&name=nodes&{choices}"


@pytest.fixture
def blueprint(shop):
    """A solution of 3 small machines with a system and 1 large one."""
    made = Blueprint.objects.create(key_name="pair", name="A pair", description="Small and large", source="test")
    for name, quantity, machine in (("small ones", 3, "m1.small"), ("large ones", 1, "m1.large")):
        part_of = BlueprintRole.objects.create(blueprint=made, package=shop.package, name=name, quantity=quantity)
        for key_name in (machine, "debian"):
            item = shop.items[key_name]
            BlueprintPart.objects.create(role=part_of, category=item.categories.get(), item=item)
    return made


def test_an_order_is_its_lines_at_the_prices_that_were_shown(draft, account):
    found = find(f"order:{draft.pk}", account)

    assert found.document == document_of(order_tree(order_id=draft.pk, account_id=account.pk))
    assert found.name == f"Draft {draft.pk}: Storage for backups"


def test_a_container_is_its_part_of_the_order_alone(draft, account):
    container = OrderContainer.objects.get(order_item__name="proxies")

    found = find(f"container:{container.pk}", account)

    assert found.name == f"2 × proxies of Draft {draft.pk}"
    assert [item["name"] for item in found.document["items"]] == ["proxies"]
    assert found.document["totals"]["monthly"] == "460.80"  # 2 × 0.32 × 720


def test_what_is_composed_costs_what_a_draft_of_it_would(shop, account):
    found = find(composed(shop), account)

    assert found.document["totals"]["monthly"] == "115.20"  # 2 × 0.08 × 720
    assert [part.key_name for part in parts_of(found.document)] == ["m1.small", "debian"]
    assert BillingOrder.objects.count() == 0


def test_a_blueprint_is_all_its_machines_in_a_place_on_a_term(blueprint, account):
    found = find("blueprint:pair:us-east-1:hourly", account)

    assert found.name == "A pair in N. Virginia, hourly"
    assert found.document["totals"]["monthly"] == "403.20"  # (3 × 0.08 + 0.32) × 720


def test_a_blueprint_with_other_numbers_of_machines_keeps_them_in_its_reference(blueprint, account):
    (offer,) = blueprint_offers(
        account=account,
        location_key="us-east-1",
        term=Term.HOURLY,
        hours_per_month=Decimal(720),
        at=NOW,
        key_name="pair",
        machines={"small ones": 5},
    )

    found = find(blueprint_reference(offer, location_key="us-east-1", term=Term.HOURLY), account)

    assert [(item["name"], item["quantity"]) for item in found.document["items"]] == [
        ("small ones", 5),
        ("large ones", 1),
    ]


@pytest.mark.parametrize(
    "reference",
    [
        *("", "order:", "order:x", "order:999999", f"order:{'9' * 40}", "container:999999", "quote:1"),
        *("blueprint:", "blueprint:none", "blueprint:pair:us-east-1:yearly", "shared:nothing", "composed:"),
        *("composed:package=none", f"composed:package={PACKAGE}&order=12"),
    ],
)
def test_a_reference_to_nothing_is_none(blueprint, account, reference):
    with pytest.raises(NoConfiguration):
        find(reference, account)


def test_what_belongs_to_another_account_is_not_there(draft):
    harbor = make_account(partner=make_partner("Harbor"), name="Harbor Lights")
    container = OrderContainer.objects.first()

    for reference in (f"order:{draft.pk}", f"container:{container.pk}"):
        with pytest.raises(NoConfiguration):
            find(reference, harbor)


def test_a_link_shows_the_configuration_to_strangers_and_nothing_of_the_account(draft, account, ana):
    OrderContainer.objects.filter(order_item__name="proxies").update(host_names="web-{n}.aurora.example")
    shared = share(account, ana, f"order:{draft.pk}", at=now())

    answer = client_of(None).get(address_of(shared))

    words = text_of(answer)
    assert answer.status_code == 200
    assert "2 × proxies, 10 × storage nodes · $1,036.80 a month" in words
    assert "The m1.small" in words
    for secret in (
        account.name,
        ana.email,
        ana.display_name,
        "aurora.example",
        draft.name,
        str(draft),
        "Open in composer",
    ):
        assert secret not in words, secret
    assert "aurora.example" not in str(shared.asked) + str(shared.document)
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("no-store, private", "noindex")
    assert '<meta name="robots" content="noindex">' in answer.content.decode()


@pytest.mark.breaks_invariants("line amount = fee × pieces")
def test_a_shared_configuration_stays_as_it_was_when_the_order_and_the_prices_change(shop, draft, account, ana):
    shared = share(account, ana, f"order:{draft.pk}", at=now())
    before = client_of(None).get(address_of(shared)).content

    replace_price(shop.items["m1.small"], hourly="9.99", at=now())
    OrderLine.objects.update(monthly_amount=1, description="Something else")
    OrderContainer.objects.update(quantity=99)

    assert client_of(None).get(address_of(shared)).content == before


@pytest.mark.parametrize("ended", ["revoked", "expired"])
def test_a_link_that_was_revoked_or_has_expired_leads_nowhere(draft, account, ana, ended):
    at = now() if ended == "revoked" else now() - timedelta(days=31)
    shared = share(account, ana, f"order:{draft.pk}", at=at)
    if ended == "revoked":
        configuration_revoke(shared_id=shared.pk, account_id=account.pk, user=ana, now=now())

    assert client_of(None).get(address_of(shared)).status_code == 404


def test_sharing_and_revoking_is_written_down_once_each(draft, account, ana):
    shared = share(account, ana, f"order:{draft.pk}")
    for _ in range(2):
        configuration_revoke(shared_id=shared.pk, account_id=account.pk, user=ana, now=NOW)

    entries = AuditEntry.objects.filter(subject=f"configuration:{shared.pk}").values_list("to_state", "actor")
    assert list(entries) == [("shared", ana.email), ("not_shared", ana.email)]


@pytest.mark.parametrize("days", [0, 366])
def test_a_link_for_no_time_or_for_ever_is_refused(draft, account, ana, days):
    with pytest.raises(RuleBroken) as refusal:
        share(account, ana, f"order:{draft.pk}", valid_days=days)

    assert refusal.value.code == "valid_days_out_of_range"
    assert not SharedConfiguration.objects.exists()


def test_an_empty_draft_has_nothing_to_share(draft, account, ana):
    draft.items.all().delete()

    with pytest.raises(RuleBroken) as refusal:
        share(account, ana, f"order:{draft.pk}")

    assert refusal.value.code == "nothing_to_share"
    assert not SharedConfiguration.objects.exists()


def test_the_page_of_another_partner_does_not_know_the_link(draft, account, ana):
    shared = share(account, ana, f"order:{draft.pk}", at=now())
    make_account(partner=make_partner("Harbor"), name="Harbor Lights")

    assert client_of(None, host="harbor.localhost").get(address_of(shared)).status_code == 404


def test_somebody_who_is_signed_in_opens_each_container_in_the_composer(shop, draft, account, ana):
    shared = share(account, ana, f"order:{draft.pk}", at=now())
    client = client_of(ana)

    page = client.get(address_of(shared)).content.decode()

    urls = [url.replace("&amp;", "&") for url in re.findall(r'href="(/orders/compose/\?[^"]+)"', page)]
    assert len(urls) == 2
    words = text_of(client.get(urls[1]))
    assert "$576.00" in words  # 10 × 0.08 × 720


def test_sharing_on_the_page_shows_the_link_in_the_list_and_revoking_ends_it(draft, account, ana):
    client = client_of(ana)

    asked = text_of(client.get(reverse("configuration-share"), {"what": f"order:{draft.pk}"}))
    listed = client.post(reverse("configuration-share"), {"what": f"order:{draft.pk}", "valid_days": "7"}, follow=True)
    shared = SharedConfiguration.objects.get()
    revoked = client.post(reverse("configuration-revoke", args=[shared.pk]), follow=True)

    assert "today's $1,036.80 a month" in asked
    assert address_of(shared) in text_of(listed)
    assert shared.expires_at - shared.shared_at == timedelta(days=7)
    assert address_of(shared) not in text_of(revoked)
    assert "Revoked" in text_of(revoked)


def test_what_cannot_be_kept_cannot_be_shared_and_the_page_says_why(shop, account, ana):
    reference = composed(shop, quantity=0)

    answer = client_of(ana).post(reverse("configuration-share"), {"what": reference, "valid_days": "7"})

    assert answer.status_code == 409
    assert "Nothing was shared." in text_of(answer)
    assert not SharedConfiguration.objects.exists()


def test_a_viewer_may_compare_but_not_share(draft, account):
    viewer = client_of(make_member(account, email="vera@north.example", role="viewer"))

    assert viewer.get(reverse("configuration-share"), {"what": f"order:{draft.pk}"}).status_code == 403
    assert viewer.get(reverse("configuration-list")).status_code == 200
    assert "Share" not in text_of(viewer.get(reverse("order-detail", args=[draft.pk]))).replace("Shared", "")


def test_any_two_kinds_stand_side_by_side_with_their_differences_marked(shop, blueprint, draft, account, ana):
    other = make_draft(shop=shop, account=account, user=ana, roles=[role("proxies", 3, "m1.large")])
    container = OrderContainer.objects.get(order_item__order=draft, order_item__name="proxies")
    shared = share(account, ana, f"order:{other.pk}", at=now())
    kinds = {
        f"order:{draft.pk}": f"Draft {draft.pk}: Storage for backups",
        f"container:{container.pk}": f"2 × proxies of Draft {draft.pk}",
        "blueprint:pair:us-east-1:hourly": "A pair in N. Virginia, hourly",
        composed(shop): "2 × nodes, composed",
        f"shared:{shared.token}": f"Draft {other.pk}: Storage for backups, as shared",
    }
    client = client_of(ana)

    for one in kinds:
        for other_one in kinds:
            address = f"{reverse('order-compare')}?a={quote(one)}&b={quote(other_one)}"
            answer = client.get(address)
            words = text_of(answer)
            assert answer.status_code == 200
            assert ("are the same" in words) == (one == other_one), (one, other_one)
            assert ("differs" in words) == (one != other_one)
            assert kinds[one] in words
            assert kinds[other_one] in words
            assert words.count(" selected>") == 2  # the address keeps the choice


@pytest.mark.breaks_invariants("line amount = fee × pieces")
def test_the_difference_of_a_container_and_what_is_shared_is_where_it_is(shop, draft, account, ana):
    container = OrderContainer.objects.get(order_item__name="proxies")
    shared = share(account, ana, f"container:{container.pk}", at=now())
    OrderContainer.objects.filter(pk=container.pk).update(quantity=3)

    page = client_of(ana).get(
        reverse("order-compare"), {"a": f"container:{container.pk}", "b": f"shared:{shared.token}"}
    )

    assert page.context["differences"] == 1
    rows = [row for section in page.context["sections"] for row in section.rows if row.is_different]
    assert [(row.label, row.one, row.other) for row in rows] == [("Pieces", "3", "2")]
