"""The form of one kind of advice: its sentence with blanks, and the assumptions folded away."""

from collections.abc import Iterable
from typing import Any

from django import forms

from core.errors import InputRefused
from planner.advice.asking import LOCATION, Field, choices_of, sentence_pieces
from planner.advice.kinds import Kind
from planner.advice.reading import places_of
from planner.advice.services import question_problems

ANYWHERE = "Wherever it is sold"
FILE_SUFFIX = "_file"


class AdviceForm(forms.Form):
    """A question. What is typed is read by the kind's own readers, so that pages and API refuse alike."""

    use_required_attribute = False

    def __init__(self, *args: Any, kind: Kind, partner_id: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        self.partner_id = partner_id
        for field in kind.fields:
            self.fields[field.name] = _form_field(field, kind, partner_id=partner_id)
            if field.is_list:
                self.fields[field.name + FILE_SUFFIX] = forms.FileField(
                    required=False, label=f"{field.label}, as a file", help_text="Instead of the lines: a CSV file."
                )

    @property
    def sentence(self) -> list[tuple[str, forms.BoundField | None]]:
        """The words before each blank, with its field; none behind the last words."""
        pieces = sentence_pieces(self.kind.sentence)
        return [(words, self[name] if name else None) for words, name in pieces]

    @property
    def blanks(self) -> list[forms.BoundField]:
        return [self[name] for _, name in sentence_pieces(self.kind.sentence) if name]

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """The fields that are neither in the sentence nor folded away."""
        blanks = {blank.name for blank in self.blanks}
        fields = [field for field in self.kind.fields if not field.is_advanced and field.name not in blanks]
        return [self[name] for name in self._names(fields)]

    def _names(self, fields: Iterable[Field]) -> list[str]:
        """Return the names of fields, each list with that of its file behind it."""
        return [name for field in fields for name in (field.name, field.name + FILE_SUFFIX) if name in self.fields]

    @property
    def advanced_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self._names(field for field in self.kind.fields if field.is_advanced)]

    @property
    def has_wrong_assumption(self) -> bool:
        return any(field.errors for field in self.advanced_fields)

    @property
    def words(self) -> dict[str, str]:
        """What was typed, with the lines of a file in place of those of its field."""
        typed = {field.name: self.data.get(field.name, field.default) for field in self.kind.fields}
        return typed | {name: text for name, text in self._files().items() if text}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        try:
            words = self.words
        except UnicodeDecodeError:
            self.add_error(None, "The file is no text in UTF-8. Save it as CSV in UTF-8 and send it again.")
            return cleaned
        _, problems = question_problems(self.kind, self.kind.filled_in(words, self.partner_id))
        for problem in problems:
            self.add_error(problem.field if problem.field in self.fields else None, problem.words)
        return cleaned

    def add_violations(self, refusal: InputRefused) -> None:
        """Show each violation beside the field it names."""
        for violation in refusal.violations:
            self.add_error(violation.field if violation.field in self.fields else None, violation.words)

    def _files(self) -> dict[str, str]:
        texts = {}
        for field in self.kind.fields:
            sent = self.files.get(field.name + FILE_SUFFIX)
            if field.is_list and sent:
                sent.seek(0)
                # One character more than may be sent, so that too long a file is refused and not cut.
                texts[field.name] = sent.read(4 * field.most_characters + 1).decode("utf-8-sig")
        return texts


def _form_field(field: Field, kind: Kind, *, partner_id: int) -> forms.Field:
    if field.name == LOCATION:
        choices = [("", ANYWHERE), *((key, f"{name} ({key})") for key, name in places_of(kind.categories).items())]
        return _select(field, choices)
    choices = choices_of(field, partner_id=partner_id)
    if choices:
        return _select(field, choices)
    widget: forms.Widget = forms.TextInput(attrs={"size": field.size, "autocomplete": "off"})
    if field.is_list:
        widget = forms.Textarea(attrs={"rows": 8, "spellcheck": "false"})
    # What is missing is told by the reader, in the same words as to programs.
    return forms.CharField(required=False, label=field.label, help_text=field.help, widget=widget)


def _select(field: Field, choices: list[tuple[str, str]]) -> forms.Field:
    widget = forms.Select(choices=choices)
    return forms.CharField(required=False, label=field.label, help_text=field.help, widget=widget)
