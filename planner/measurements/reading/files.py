"""Reading a file of results of any kind: recognised by what it holds, or read as what somebody says it is."""

from collections.abc import Callable, Mapping

from planner.measurements.reading import basho, cosbench, fio, plain, ycsb
from planner.measurements.reading.numbers import DecimalSign
from planner.measurements.reading.readings import ReadFile, refused
from planner.measurements.reading.tables import text_of

KINDS: Mapping[str, str] = {
    fio.KIND: "fio, JSON",
    ycsb.KIND: "YCSB, text",
    cosbench.KIND: "COSBench, CSV",
    basho.KIND: "Basho Bench, CSV",
    plain.KIND: "A table of configurations and values, CSV",
}
READERS: Mapping[str, Callable[..., ReadFile]] = {
    ycsb.KIND: ycsb.read_ycsb,
    cosbench.KIND: cosbench.read_cosbench,
    basho.KIND: basho.read_basho,
    plain.KIND: plain.read_plain,
}


def read_file(data: bytes, *, kind: str = "", decimal_sign: DecimalSign | None = None) -> ReadFile:
    """Read a file of results; without a `kind` it is recognised. Raises InputRefused with everything that is wrong."""
    text = text_of(data)
    chosen = kind or kind_of(text)
    if chosen == fio.KIND:
        return fio.read_fio(text)
    if chosen not in READERS:
        raise refused("kind_unknown", f"“{chosen}” is none of {', '.join(KINDS)}.")
    return READERS[chosen](text, decimal_sign=decimal_sign)


def kind_of(text: str) -> str:
    """Return the kind of file that a text looks like; a table where nothing says otherwise."""
    stripped = text.lstrip()
    first = stripped.partition("\n")[0].casefold().replace(" ", "")
    if stripped.startswith("{") or '"fio version"' in text:
        return fio.KIND
    if any(line.lstrip().startswith("[") for line in text.split("\n")[-200:]) or "[overall]" in text.casefold():
        return ycsb.KIND
    if "op-type" in first:
        return cosbench.KIND
    if first.replace(";", ",").replace("\t", ",").startswith("elapsed,window,"):
        return basho.KIND
    return plain.KIND
