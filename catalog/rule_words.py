"""The numbers of rules in words, for refusals, pages and the lint alike."""

UNITS = {
    "PROCESSOR": ("processor", "processors"),
    "CORE": ("core", "cores"),
    "STORAGE_SPACE": ("GB of disks", "GB of disks"),
}


def range_words(minimum: int | None, maximum: int | None) -> str:
    """Say a range: exactly 2, 2 to 4, at most 4, at least 2; "" where there is no limit."""
    if minimum is not None and maximum is not None:
        return f"exactly {minimum}" if minimum == maximum else f"{minimum} to {maximum}"
    if maximum is not None:
        return f"at most {maximum}"
    return "" if minimum is None else f"at least {minimum}"


def size_words(restriction: str, minimum: int | None, maximum: int | None) -> str:
    """Say a range of sizes: at most 2 processors."""
    return f"{range_words(minimum, maximum)} {unit_words(restriction, maximum or minimum or 0)}"


def unit_words(restriction: str, count: int) -> str:
    one, many = UNITS.get(restriction, (restriction, restriction))
    return one if count == 1 else many


def disks_words(minimum: int | None, maximum: int | None, multiple_of: int | None, equality: str) -> str:
    """Say what a rule asks of disks: an even number of disks, at least 4, equal in pairs."""
    words = []
    if multiple_of:
        words.append("an even number of disks" if multiple_of == 2 else f"a multiple of {multiple_of} disks")
    numbers = range_words(minimum, maximum)
    if numbers:
        words.append(numbers if words else f"{numbers} disks")
    if equality == "all":
        words.append("all equal" if words else "disks that are all equal")
    if equality == "each_multiple":
        words.append("equal in pairs" if multiple_of == 2 else f"equal in groups of {multiple_of}")
    return ", ".join(words)
