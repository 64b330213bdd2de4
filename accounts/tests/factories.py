"""Small makers of partners, accounts and their people, for every room's tests."""

from django.test import Client

from accounts.models import Account, Membership, Partner, PartnerHost, PartnerStaff, Role, User


def make_partner(name: str = "North") -> Partner:
    """Return a new partner whose host is its name under localhost, such as north.localhost."""
    partner = Partner.objects.create(name=name, slug=name.lower(), accent="#1f5a8a")
    PartnerHost.objects.create(partner=partner, host=f"{name.lower()}.localhost")
    return partner


def make_account(*, partner: Partner | None = None, name: str = "Aurora Studios") -> Account:
    return Account.objects.create(partner=partner or make_partner(), name=name)


def make_member(account: Account, *, email: str = "ana@north.example", role: str = Role.BUYER) -> User:
    """Return the user of this e-mail, new or not, made a member of the account."""
    user = User.objects.filter(email=email).first() or User.objects.create_user(email, "a-good-password")
    Membership.objects.create(user=user, account=account, role=role)
    return user


def make_operator(email: str = "op@rackwright.example") -> User:
    return User.objects.create_superuser(email, "a-good-password")


def client_of(user: User | None, *, host: str = "north.localhost") -> Client:
    """Return a browser at the host, signed in as the user or, for None, as nobody."""
    client = Client(headers={"host": host})
    if user is not None:
        client.force_login(user)
    return client


def make_partner_staff(partner: Partner, *, email: str = "nora@north.example") -> User:
    """Return the user of this e-mail, new or not, made one of the partner's own people."""
    user = User.objects.filter(email=email).first() or User.objects.create_user(email, "a-good-password")
    PartnerStaff.objects.create(user=user, partner=partner)
    return user
