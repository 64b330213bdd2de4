"""Contrast of two colours, as the Web Content Accessibility Guidelines calculate it."""

import re

HEX_COLOUR = re.compile(r"^#[0-9a-f]{6}$")
READABLE_CONTRAST = 4.5


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio, from 1 (the same) to 21 (black on white), of two colours such as #1f5a8a."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
