"""Who may be signed in at all."""

from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from accounts.visits import visitor


class AccountBackend(ModelBackend):
    """Signs in with e-mail and password; users made by the demo only while the product runs embedded."""

    def get_user(self, user_id: Any) -> User | None:
        user = visitor(user_id=user_id)
        return user if self.user_can_authenticate(user) else None

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        may_be_here = settings.EMBEDDED or not getattr(user, "is_demo", False)
        return user is not None and may_be_here and super().user_can_authenticate(user)
