"""The form by which a table of scores is imported."""

from typing import Any

from django import forms

from core.errors import RuleBroken
from planner.advice.asking import LONGEST_LIST
from planner.mapping.services import LONGEST_SOURCE


class ScoreTableForm(forms.Form):
    """A file of scores and where they are from; what is wrong with the scores is told by the service."""

    use_required_attribute = False

    file = forms.FileField(
        label="Table of scores",
        help_text="CSV in UTF-8 with the columns suite, version, cpu, score: one suite and one version.",
    )
    source = forms.CharField(
        label="Where the scores are from", max_length=LONGEST_SOURCE, help_text="Everybody who uses them sees it."
    )

    def clean(self) -> dict[str, Any] | None:
        """Read the file as text."""
        cleaned = super().clean()
        file = self.cleaned_data.get("file")
        if file is not None:
            data = file.read(4 * LONGEST_LIST + 1)
            try:
                self.cleaned_data["text"] = data.decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", "The file is no text in UTF-8. Save it as CSV in UTF-8 and send it again.")
        return cleaned

    def add_violations(self, refusal: RuleBroken) -> None:
        """Show each violation beside the field it names."""
        for violation in refusal.violations:
            self.add_error(violation.field if violation.field in self.fields else None, violation.words)
