"""Who may be signed in at all."""

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser

from accounts.models import User


class AccountBackend(ModelBackend):
    """Signs in with e-mail and password; users made by the demo only while the product runs embedded."""

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        may_be_here = settings.EMBEDDED or not getattr(user, "is_demo", False)
        return may_be_here and super().user_can_authenticate(user)
