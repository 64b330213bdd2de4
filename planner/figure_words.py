"""Figures in words, as pages of predictions show them."""

from collections.abc import Mapping
from typing import Any


def value_words(value: Any) -> str:
    """Return a figure as people read it: a number, a range, a bound or a text answer."""
    if isinstance(value, list | tuple):
        return " to ".join(value_words(each) for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name.replace('_', ' ')} {value_words(bound)}" for name, bound in value.items())
    if isinstance(value, float) and abs(value) < 1000:
        return f"{value:.4g}"
    return f"{value:,.0f}" if isinstance(value, int | float) else str(value)
