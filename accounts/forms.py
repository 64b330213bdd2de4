"""The forms of accounts."""

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.db import models

from accounts.models import Scope


class SignInForm(AuthenticationForm):
    """E-mail and password."""

    username = forms.EmailField(
        label="E-mail", widget=forms.EmailInput(attrs={"autofocus": True, "autocomplete": "username"})
    )
    error_messages = {
        "invalid_login": "No such e-mail and password here. Check both; upper and lower case count in the password.",
        "inactive": "This user is closed.",
    }

    def clean_username(self) -> str:
        return self.cleaned_data["username"].strip().lower()


class ApiKeyForm(forms.Form):
    """What a new key is for, and how far it reaches."""

    name = forms.CharField(max_length=80, label="Name", help_text="Where it is used, such as “billing portal”.")
    scope = forms.ChoiceField(choices=Scope.choices, label="It may")


class AccountSwitchForm(forms.Form):
    """The account that the user wants to act for."""

    account_id = forms.IntegerField(min_value=1, max_value=models.BigIntegerField.MAX_BIGINT)
