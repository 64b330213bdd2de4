"""What is wrong with a form, where its page shows one refusal instead of a message beside each field."""

from django.forms import BaseForm


def problem_words(form: BaseForm) -> str:
    """Return all messages of a form that is not valid, in the order of its fields."""
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
