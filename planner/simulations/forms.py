"""The form of one workload: only its fields, under the names that the scenario has for them."""

from typing import Any

from django import forms

from core.errors import InputRefused, Violation
from planner.simulations.asking import (
    NAME,
    REPLICATIONS,
    SEED,
    SWEEP_FIELD,
    SWEEP_VALUES,
    Question,
    question_from_words,
)
from planner.simulations.fields import Field, Workload
from planner.simulations.scenarios import default_scenario, value_at

WITHOUT_BANDS = "without_bands"


def default_words(workload: Workload) -> dict[str, str]:
    """Return what the form begins with, as typed."""
    scenario = default_scenario(workload)
    values = [(field, value_at(scenario, field.path)) for field in workload.fields]
    return {field.path: "" if value is None else field.words(value) for field, value in values}


class SimulationForm(forms.Form):
    """A question about one workload. What is asked is checked by the models, so that pages and API refuse alike."""

    use_required_attribute = False

    def __init__(self, *args: Any, workload: Workload, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.workload = workload
        self.question: Question | None = None
        swept = self.data.get(SWEEP_FIELD, "")
        for field in workload.fields:
            self.fields[field.path] = _form_field(field, is_swept=field.path == swept)
        self.fields[SWEEP_FIELD] = forms.CharField(
            label="Try several values of",
            required=False,
            widget=forms.Select(choices=[("", "nothing: one run"), *workload.sweepable.items()]),
        )
        self.fields[SWEEP_VALUES] = forms.CharField(
            label="Values",
            required=False,
            help_text=f"Such as {workload.values}. A list, a row that goes on (1, 2, 4…128), or 1-64 step 1.",
        )
        if workload.key == "kv_store":
            self.fields[REPLICATIONS] = forms.CharField(
                label="Runs of each point",
                required=False,
                help_text="Two or more, each with other random numbers, tell how sure the means are.",
            )
        self.fields[SEED] = forms.CharField(
            label="Seed", required=False, help_text="Empty: the same question gets the same random numbers."
        )
        self.fields[WITHOUT_BANDS] = forms.BooleanField(
            label="Leave out the bands", required=False, help_text="Quicker, and says less."
        )
        self.fields[NAME] = forms.CharField(label="Name", required=False, help_text="Empty: it gets a name.")

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self[field.path] for field in self.workload.fields if not field.is_advanced]

    @property
    def advanced_fields(self) -> list[forms.BoundField]:
        """What the page folds away: fields that have a sensible value, and how the runs are made."""
        fields = [self[field.path] for field in self.workload.fields if field.is_advanced]
        options = (REPLICATIONS, SEED, WITHOUT_BANDS)
        return fields + [self[name] for name in options if name in self.fields]

    @property
    def has_wrong_advanced(self) -> bool:
        return any(field.errors for field in self.advanced_fields)

    @property
    def is_swept(self) -> bool:
        return bool(self[SWEEP_FIELD].value()) or bool(self[SWEEP_FIELD].errors or self[SWEEP_VALUES].errors)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        words = {name: str(self.data.get(name, "")) for name in self.fields} | {"workload": self.workload.key}
        try:
            self.question = question_from_words(words)
        except InputRefused as refusal:
            for violation in refusal.violations:
                if violation.field in self.fields and violation.field not in self.errors:
                    self.add_error(violation.field, _without_path(violation))
                elif violation.field not in self.fields:
                    self.add_error(None, violation.words)
        return cleaned


def _without_path(violation: Violation) -> str:
    """Return the words for beside the field, which needs no name there."""
    words = violation.words.removeprefix(f"{violation.field}: ")
    return f"{words[:1].upper()}{words[1:]}"


def _form_field(field: Field, *, is_swept: bool) -> forms.Field:
    is_required = not field.is_optional and not is_swept
    if field.kind == "choice":
        empty = [("", "—")] if field.is_optional else []
        widget = forms.Select(choices=[*empty, *(field.choices or {}).items()])
        return forms.CharField(label=field.label, required=is_required, help_text=field.help, widget=widget)
    example = f"Such as {field.measure.example}." if field.measure.units else ""
    return forms.CharField(label=field.label, required=is_required, help_text=f"{field.help} {example}".strip())
