"""The demo: three partners, their people and an operator, for looking around on one's own machine."""

from typing import NamedTuple

from django.conf import settings
from django.db import transaction

from accounts.models import Account, Membership, Partner, PartnerHost, PartnerStaff, Role, User
from core.errors import RuleBroken

DEMO_PASSWORD = "rackwright-demo"


class DemoSignIn(NamedTuple):
    """Where and as whom one may look around."""

    host: str
    email: str
    words: str


class DemoPartner(NamedTuple):
    name: str
    slug: str
    accent: str
    account: str
    people: tuple[tuple[str, str, str], ...]  # e-mail, first name, role
    currency: str = "USD"
    staff: tuple[tuple[str, str], ...] = ()  # e-mail, first name


DEMO_OPERATOR = "op@rackwright.example"
DEMO_SIGN_INS = [
    DemoSignIn("north.localhost", "ana@north.example", "Ana, buyer at Aurora Studios"),
    DemoSignIn("north.localhost", "paul@north.example", "Paul, approver at Aurora Studios"),
    DemoSignIn("north.localhost", "olga@north.example", "Olga, owner of Aurora Studios"),
    DemoSignIn("north.localhost", "nora@north.example", "Nora of North's own people, who advises its accounts"),
    DemoSignIn("harbor.localhost", "ben@harbor.example", "Ben, buyer at Bluewater Bank"),
    DemoSignIn("alpine.localhost", "eva@alpine.example", "Eva, buyer at Granite Works, in EUR at Alpine's own prices"),
    DemoSignIn("localhost", DEMO_OPERATOR, "Operator, with the admin console"),
]
DEMO_PARTNERS = (
    DemoPartner(
        name="North",
        slug="north",
        accent="#1f5a8a",
        account="Aurora Studios",
        people=(
            ("ana@north.example", "Ana", Role.BUYER),
            ("paul@north.example", "Paul", Role.APPROVER),
            ("olga@north.example", "Olga", Role.OWNER),
        ),
        staff=(("nora@north.example", "Nora"),),
    ),
    DemoPartner(
        name="Harbor",
        slug="harbor",
        accent="#0f6b5c",
        account="Bluewater Bank",
        people=(("ben@harbor.example", "Ben", Role.BUYER),),
    ),
    DemoPartner(
        name="Alpine",
        slug="alpine",
        accent="#6d3b7d",
        account="Granite Works",
        people=(("eva@alpine.example", "Eva", Role.BUYER),),
        currency="EUR",
    ),
)


@transaction.atomic
def demo_load() -> int:
    """Make what is missing of the demo and return how many rows that took; what exists stays as it is.

    Raises RuleBroken `demo_refused` outside embedded mode.
    """
    if not settings.EMBEDDED:
        raise RuleBroken("demo_refused", "The demo is loaded only in embedded mode (RACKWRIGHT_MODE=embedded).")
    made = sum(_load_partner(demo) for demo in DEMO_PARTNERS)
    _, is_new = _user(DEMO_OPERATOR, "Operator", is_staff=True, is_superuser=True)
    return made + is_new


def demo_sign_ins_at(partner: Partner | None) -> list[DemoSignIn]:
    """Return the demo sign-ins to offer on a partner's sign-in page; none outside embedded mode."""
    if not settings.EMBEDDED:
        return []
    existing = set(User.objects.filter(is_demo=True, is_active=True).values_list("email", flat=True))
    hosts = {sign_in.host for sign_in in DEMO_SIGN_INS} if partner is None else {f"{partner.slug}.localhost"}
    return [sign_in for sign_in in DEMO_SIGN_INS if sign_in.email in existing and sign_in.host in hosts]


def _load_partner(demo: DemoPartner) -> int:
    partner, is_new = Partner.objects.get_or_create(
        slug=demo.slug,
        defaults={
            "name": demo.name,
            "logo": f"brands/{demo.slug}.svg",
            "accent": demo.accent,
            "support_email": f"support@{demo.slug}.example",
        },
    )
    if not is_new:
        return 0  # also when somebody has renamed its account or removed its people
    PartnerHost.objects.get_or_create(host=f"{demo.slug}.localhost", defaults={"partner": partner})
    account = Account.objects.create(partner=partner, name=demo.account, currency=demo.currency)
    for email, first_name, role in demo.people:
        user, _ = _user(email, first_name)
        Membership.objects.create(user=user, account=account, role=role)
    for email, first_name in demo.staff:
        user, _ = _user(email, first_name)
        PartnerStaff.objects.create(user=user, partner=partner)
    return 1


def _user(email: str, first_name: str, **flags: bool) -> tuple[User, bool]:
    existing = User.objects.filter(email=email).first()
    if existing:
        return existing, False
    return User.objects.create_user(email, DEMO_PASSWORD, first_name=first_name, is_demo=True, **flags), True
