"""Who asks, and under which partner?"""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.contrib.staticfiles import finders
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.templatetags.static import static

from accounts.colours import HEX_COLOUR, READABLE_CONTRAST, contrast

validate_colour = RegexValidator(HEX_COLOUR, "Write a colour as # and six of 0-9 and a-f, such as #1f5a8a.")


class Partner(models.Model):
    """A seller under whose name, logo, colours and hosts the portal appears."""

    name = models.CharField(max_length=80)
    slug = models.SlugField(unique=True)
    logo = models.CharField(max_length=120, blank=True, help_text="Path of a static file, such as brands/north.svg.")
    accent = models.CharField(max_length=7, default="#1f5a8a", validators=[validate_colour])
    accent_ink = models.CharField(
        max_length=7, default="#ffffff", validators=[validate_colour], help_text="Colour of words on the accent."
    )
    support_email = models.EmailField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def logo_url(self) -> str | None:
        return static(self.logo) if self.logo else None

    def clean(self) -> None:
        """Refuse a logo that is not there, and an accent on which its ink could not be read."""
        if self.logo and finders.find(self.logo) is None:
            raise ValidationError({"logo": ValidationError(f"There is no static file {self.logo}.", code="no_file")})
        if not HEX_COLOUR.match(self.accent) or not HEX_COLOUR.match(self.accent_ink):
            return  # the validators of the fields have said so
        ratio = contrast(self.accent, self.accent_ink)
        if ratio < READABLE_CONTRAST:
            words = (
                f"The accent {self.accent} has a contrast of only {ratio:.1f} : 1 to its ink {self.accent_ink}. "
                f"Choose colours with at least {READABLE_CONTRAST} : 1."
            )
            raise ValidationError({"accent": ValidationError(words, code="contrast_too_low")})


class PartnerHost(models.Model):
    """A host name, without its port, at which a partner's portal answers."""

    partner = models.ForeignKey(Partner, on_delete=models.CASCADE, related_name="hosts")
    host = models.CharField(max_length=253, unique=True)

    class Meta:
        ordering = ["host"]
        constraints = [models.CheckConstraint(condition=models.Q(host=Lower("host")), name="a_host_is_lower_case")]

    def __str__(self) -> str:
        return self.host

    def clean(self) -> None:
        self.host = self.host.strip().lower()
        if ":" in self.host:
            raise ValidationError({"host": "Write the host without its port."})


class Account(models.Model):
    """A customer of a partner: who owns plans and orders and owes for them."""

    partner = models.ForeignKey(Partner, on_delete=models.PROTECT, related_name="accounts")
    name = models.CharField(max_length=80)
    currency = models.CharField(max_length=3, default="USD")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["partner", "name"], name="an_account_name_is_unique_within_its_partner")
        ]

    def __str__(self) -> str:
        return self.name


class UserManager(BaseUserManager["User"]):
    """Makes users, who sign in with their e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractUser):
    """A person who signs in; staff are the operator's own people."""

    username = None  # type: ignore[assignment]  # the documented way to drop a field of AbstractUser
    email = models.EmailField("e-mail", unique=True)
    is_demo = models.BooleanField(default=False, help_text="Made by the demo; may sign in only in embedded mode.")

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta:
        ordering = ["email"]
        constraints = [models.CheckConstraint(condition=models.Q(email=Lower("email")), name="an_email_is_lower_case")]

    def __str__(self) -> str:
        return self.email

    def clean(self) -> None:
        self.email = self.email.strip().lower()

    @property
    def display_name(self) -> str:
        return self.get_full_name() or self.email


class Role(models.TextChoices):
    """What a member may do in an account; each role may do what the ones before it may."""

    VIEWER = "viewer", "Viewer"
    BUYER = "buyer", "Buyer"
    APPROVER = "approver", "Approver"
    OWNER = "owner", "Owner"


class Membership(models.Model):
    """A user's role in an account."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.VIEWER)

    class Meta:
        ordering = ["account__name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "account"], name="a_user_is_a_member_of_an_account_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="a_role_is_a_known_one"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.account}"


class PartnerStaff(models.Model):
    """One of a partner's own people, who advises its accounts and keeps its prices."""

    partner = models.ForeignKey(Partner, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="served_partners")

    class Meta:
        ordering = ["partner__name", "pk"]
        verbose_name_plural = "partner staff"
        constraints = [
            models.UniqueConstraint(fields=["partner", "user"], name="a_user_is_on_the_staff_of_a_partner_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} for {self.partner}"


class Scope(models.TextChoices):
    """How far a key reaches: it never reaches further than its user."""

    READ = "read", "Read"
    WRITE = "write", "Read and write"


class ApiKey(models.Model):
    """A secret with which a program acts as one user in one account."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="api_keys")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=8, unique=True, help_text="The part by which the key is found and named.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the secret, which itself is kept nowhere.")
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.READ)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(scope__in=Scope.values), name="a_scope_is_a_known_one"),
        ]

    def __str__(self) -> str:
        return f"{self.name} (rw_{self.prefix}…)"

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None
