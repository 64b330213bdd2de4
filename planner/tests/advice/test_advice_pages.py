"""The pages of advice, as a buyer and a viewer see them."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import Role
from accounts.tests.factories import client_of, make_member
from jobs.models import RunState
from orders.models import BillingOrder, Quote
from planner.advice.models import Advice
from planner.advice.registry import KINDS
from planner.tests.advice.factories import make_advice, make_answered_advice
from planner.tests.factories import work_all

pytestmark = pytest.mark.django_db
TYPED = {"capacity": "2 TB", "iops": "1,000 IOPS"}


def address(name, *args):
    return reverse(name, args=args)


def body_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.fixture
def buyer(ana):
    return client_of(ana)


@pytest.mark.journey
def test_from_the_need_to_a_draft_and_a_quote(ec2, buyer):
    asked = buyer.post(address("advice-new", "raid"), TYPED)
    waiting = body_of(buyer.get(asked["Location"]))
    work_all()
    answer = body_of(buyer.get(asked["Location"]))
    advice = Advice.objects.get()
    best = advice.run.result["best"]

    ordered = buyer.post(address("advice-order", advice.pk), {"configuration": best["key"]})
    quoted = buyer.post(address("advice-quote", advice.pk), {"configuration": best["key"]})

    assert "<h1>2 TB at 1,000 IOPS, 70 % reads, through 1 failed drive</h1>" in waiting
    assert f"{best['title']}: ${best['monthly_cost']} a month</h1>" in answer
    assert "RAID is not a backup" in answer
    assert "What would make each win" in answer or "what would make each win" in answer
    order, quote_order = BillingOrder.objects.order_by("pk")
    assert ordered["Location"] == address("order-detail", order.pk)
    assert quoted["Location"] == address("quote-detail", Quote.objects.get(order=quote_order).pk)


def test_every_kind_can_be_asked_for_on_its_page(ec2, buyer):
    chooser = body_of(buyer.get(address("advice-list")))

    for kind in KINDS.values():
        page = body_of(buyer.get(address("advice-new", kind.key)))
        assert f"<h1>{kind.question}</h1>" in page
        assert address("advice-new", kind.key) in chooser
        for field in kind.fields:
            assert f'name="{field.name}"' in page, field.name
    assert buyer.get(address("advice-new", "cooking")).status_code == 404


def test_the_address_keeps_the_question(ec2, account, ana, buyer):
    advice = make_advice(account, ana, "raid", capacity="3.5 TB", location="dal05")

    page = body_of(buyer.get(address("advice-detail", advice.pk)))
    filled = body_of(buyer.get(address("advice-new", "raid") + "?capacity=3.5+TB&location=dal05"))

    assert "Waiting for a worker" in page
    assert 'value="3.5 TB"' in filled
    assert '<option value="dal05" selected>' in filled


def test_mistakes_stand_beside_their_fields_and_nothing_typed_is_lost(ec2, buyer):
    refused = buyer.post(address("advice-new", "raid"), {"capacity": "much", "iops": "7 IOPS", "block": "0 KiB"})

    page = body_of(refused)
    assert refused.status_code == 422
    assert 'value="much"' in page
    assert 'value="7 IOPS"' in page
    assert "“much” is no quantity. Write it like 300 GB." in page
    assert "“0 KiB” is out of range" in page
    assert not Advice.objects.exists()


def test_what_cannot_be_done_names_the_limit_and_the_nearest(ec2, account, ana, buyer):
    advice = make_answered_advice(account, ana, "raid", capacity="900 TB")

    page = body_of(buyer.get(address("advice-detail", advice.pk)))

    assert "The limit that binds: Usable capacity." in page
    assert "The nearest there is: " in page
    assert "Order this" not in page


def test_a_viewer_reads_and_may_not_ask_nor_order(ec2, account, ana):
    advice = make_answered_advice(account, ana, "raid", **TYPED)
    vera = client_of(make_member(account, email="vera@north.example", role=Role.VIEWER))

    page = body_of(vera.get(address("advice-detail", advice.pk)))
    refused = vera.post(address("advice-order", advice.pk), {})

    assert "Order this" not in page
    assert vera.get(address("advice-new", "raid")).status_code == 403
    assert refused.status_code == 403
    assert not BillingOrder.objects.exists()


def test_advice_is_cancelled_and_taken_up_again(ec2, account, ana, buyer):
    advice = make_advice(account, ana, "raid")

    buyer.post(address("advice-cancel", advice.pk))
    advice.run.refresh_from_db()
    cancelled = advice.run.state
    buyer.post(address("advice-retry", advice.pk))
    work_all()

    advice.run.refresh_from_db()
    assert cancelled == RunState.CANCELLED
    assert advice.run.state == RunState.DONE
    assert buyer.get(address("advice-progress", advice.pk))["HX-Refresh"] == "true"


def test_a_file_that_is_no_text_is_refused(ec2, buyer):
    listed = [(kind, field) for kind in KINDS.values() for field in kind.fields if field.is_list]

    for kind, field in listed:
        sent = {f"{field.name}_file": SimpleUploadedFile("list.csv", b"\xff\xfe\x00\x01")}
        refused = buyer.post(address("advice-new", kind.key), sent)
        assert "The file is no text in UTF-8" in body_of(refused)
    assert not Advice.objects.exists()


def test_a_file_with_a_nul_character_is_refused_beside_its_field(ec2, buyer):
    listed = [(kind, field) for kind in KINDS.values() for field in kind.fields if field.is_list]

    for kind, field in listed:
        sent = {f"{field.name}_file": SimpleUploadedFile("list.csv", b"Oslo\x00, 1")}
        refused = buyer.post(address("advice-new", kind.key), sent)
        assert refused.status_code == 422
        assert f"{field.label}: there is a NUL character in it, which no text has." in body_of(refused)
    assert len(listed) == 3
    assert not Advice.objects.exists()


def test_what_was_asked_before_is_listed_with_its_best(ec2, account, ana, buyer):
    done = make_answered_advice(account, ana, "raid", **TYPED)
    make_advice(account, ana, "raid", capacity="3 TB")

    page = body_of(buyer.get(address("advice-list")))

    assert done.run.result["best"]["title"] in page
    assert "RAID and disks: 3 TB at 1,000 IOPS" in page
    assert '<span class="tag">waiting</span>' in page
