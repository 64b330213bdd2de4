"""The two steps of an upload: a file of results, then what was measured."""

from typing import Any

from django import forms
from django.core import signing

from core.errors import InputRefused, RuleBroken, Violation
from planner.measurements.reading.files import KINDS, read_file
from planner.measurements.reading.numbers import DecimalSign
from planner.measurements.reading.readings import ReadFile, Reading
from planner.measurements.reading.tables import MOST_BYTES
from planner.measurements.services import LONGEST_NAME, Uploaded, uploaded_of
from planner.simulations.filling import Source

LASTS_SECONDS = 86400
SIGNS = {DecimalSign.POINT: "a point: 1,234.5", DecimalSign.COMMA: "a comma: 1.234,5"}


class FileForm(forms.Form):
    """A file of results, and what it is where that cannot be told from the file."""

    use_required_attribute = False

    file = forms.FileField(
        label="File of results",
        help_text=f"fio's JSON, what YCSB prints, CSV of COSBench or Basho Bench, or a table; {MOST_BYTES // 10**6} MB "
        "at most.",
    )
    kind = forms.ChoiceField(
        label="Written by", required=False, choices=[("", "recognise it"), *KINDS.items()], initial=""
    )
    decimal_sign = forms.ChoiceField(
        label="Decimal sign", required=False, choices=[("", "as the file tells"), *SIGNS.items()], initial=""
    )
    uploaded: Uploaded | None = None

    def clean(self) -> dict[str, Any] | None:
        """Read the file; everything that is wrong with it stands beside its field."""
        cleaned = super().clean()
        file = self.cleaned_data.get("file")
        if file is None:
            return cleaned
        data = file.read(MOST_BYTES + 1)
        sign = self.cleaned_data.get("decimal_sign")
        try:
            read = read_file(
                data, kind=self.cleaned_data.get("kind", ""), decimal_sign=DecimalSign(sign) if sign else None
            )
            self.uploaded = uploaded_of(file_name=file.name, data=data, read=read)
        except InputRefused as refusal:
            for violation in refusal.violations:
                self.add_error("file", violation.words)
        return cleaned


class KeepForm(forms.Form):
    """What the values of a file are of. Between the steps nothing is stored: the values come along, signed."""

    use_required_attribute = False

    values = forms.CharField(widget=forms.HiddenInput)
    name = forms.CharField(
        label="Name of this series",
        required=False,
        max_length=LONGEST_NAME,
        help_text="Such as the version of the software. Two series can be compared.",
    )
    source = forms.ChoiceField(
        label="What was measured",
        required=False,
        help_text="Results of a known configuration are set beside the prediction, and teach it.",
    )

    def __init__(self, *args: Any, targets: list[tuple[str, list[Source]]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = [(label, [(source.key, source.words) for source in sources]) for label, sources in targets if sources]
        self.fields["source"] = forms.ChoiceField(
            label=self.fields["source"].label,
            help_text=self.fields["source"].help_text,
            required=False,
            choices=[("", "only what the file says"), *groups],
        )

    def add_violations(self, refusal: RuleBroken) -> None:
        for violation in refusal.violations:
            self.add_error(violation.field if violation.field in self.fields else None, violation.words)


def signed_values(uploaded: Uploaded, *, account_id: int) -> str:
    """Return a file's values for a hidden field: nobody can change them, or keep them in another account."""
    content = {
        "file_name": uploaded.file_name,
        "sha256": uploaded.sha256,
        "kind": uploaded.read.kind,
        "notes": list(uploaded.read.notes),
        "readings": [[each.label, each.metric, each.value, dict(each.conditions)] for each in uploaded.read.readings],
    }
    return signing.dumps(content, salt=_salt(account_id), compress=True)


def values_of(words: str, *, account_id: int) -> Uploaded:
    """Return the values of a hidden field. Raises InputRefused where they were changed or are older than a day."""
    try:
        content = signing.loads(words, salt=_salt(account_id), max_age=LASTS_SECONDS)
    except signing.BadSignature:
        problem = Violation(code="values_unreadable", field="values", words="Choose the file again.")
        raise InputRefused((problem,)) from None
    readings = tuple(Reading(*each) for each in content["readings"])
    read = ReadFile(content["kind"], readings, tuple(content["notes"]))
    return Uploaded(content["file_name"], content["sha256"], read)


def _salt(account_id: int) -> str:
    return f"measurements of account {account_id}"
