"""Laws of reading traces that are cut off, damaged, or of times that cannot be."""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.plugins.training.chrome_json import read_chrome_json
from dlbricks.plugins.training.kineto import read_kineto
from dlbricks.profile.open import read_any
from tests.plugins.training.test_kineto_dialects import event, read, traced

EVENTS = [event("cpu_op", f"aten::{name}", 10 * at, 4, Strides=[[1, 2], []]) for at, name in enumerate("abcdefgh")]
TEXT = json.dumps({"schemaVersion": 1, "traceEvents": EVENTS, "baseTimeNanoseconds": 5, "traceName": "x"}, indent=1)
NAMES = [one["name"] for one in EVENTS]


FAULTS = Path(__file__).parents[2] / "data" / "faults"


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def names(text: str | bytes) -> list[str]:
    """Give the names of the spans of a file, as far as it can be read."""
    return [span.name for span in read(text)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(TEXT) - 1), st.booleans())
def test_a_file_that_ends_early_gives_what_is_before(end: int, as_list: bool) -> None:
    """Cut anywhere, a file gives the events that are whole, in order, or says in one line that it has none."""
    text = json.dumps(EVENTS)[:end] if as_list else TEXT[:end]
    try:
        trace = read(text)
    except InputError as error:
        assert "\n" not in str(error)
        assert NAMES[0] not in text or "aten::a" in text.rstrip()[-200:]
        return
    found = [span.name for span in trace]
    assert found == NAMES[: len(found)]
    whole = text.count('"Strides"', 0, max(text.rfind("}"), 0))
    assert len(found) in {whole, whole - 1}
    # the format lets an array lack its closing bracket, so such an end is none too early
    if len(found) < len(NAMES) and not (as_list and is_json(text.rstrip().removesuffix(",") + "]")):
        assert any("ends early" in note for note in trace.notes)


@pytest.mark.parametrize("end", ["", ",", ",\n", "\n"])
def test_an_array_may_lack_its_bracket(end: str) -> None:
    """As the format says, large or small: nothing is lost, and nothing is said of it."""
    trace = read(json.dumps(EVENTS)[:-1] + end)
    assert [span.name for span in trace] == NAMES
    assert trace.notes == ()


def test_one_odd_event_is_left_out_alone() -> None:
    """The name of the device, and with it the roofs, is that of the same file without the event."""
    odd, even = (read_any(FAULTS / name) for name in ("t25_one_odd_event.json", "t25a_even.json"))
    assert odd.runs[0].trace.device == even.runs[0].trace.device == "NVIDIA A100-SXM4-80GB"
    assert odd.roofs == even.roofs
    assert odd.roofs is not None
    assert set(odd.notes) ^ set(even.notes) == {"1 event with fields of an unexpected type left out"}


@given(st.lists(st.integers(0, 3), max_size=12), st.booleans(), st.randoms(use_true_random=False))
def test_begins_and_ends_are_matched_by_time(turns: list[int], named: bool, random: Random) -> None:
    """Whatever their order in the file, and whether or not ends name what they end; open spans are read, too."""
    halves: list[dict[str, Any]] = []
    calls: list[tuple[str, int]] = []
    whole: set[tuple[str, int, int]] = set()
    for at, turn in enumerate(turns):
        if turn == 0 and calls:
            name, start = calls.pop()
            halves.append(event(None, name if named else "", 10 * at, ph="E"))
            whole.add((name, 10_000 * start, 10_000 * at))
        else:
            calls.append((f"span {at}", at))
            halves.append(event(None, f"span {at}", 10 * at, ph="B"))
    random.shuffle(halves)
    trace = traced(event(None, "first", -10, 1), *halves)
    base = trace.clock.unix_offset_ns or 0
    assert base >= 0
    read_spans = {(span.name, span.start_ns, span.end_ns) for span in trace if span.name != "first"}
    assert whole <= read_spans
    assert {name for name, *_ in read_spans - whole} == {name for name, _ in calls}


def test_ends_of_a_file_that_is_not_in_order() -> None:
    """Both begins, then both ends: two spans one after the other, none of negative length."""
    trace = read((FAULTS / "t24_be_unsorted.json").read_text())
    assert {(span.name, span.start_ns, span.end_ns) for span in trace} == {("a", 0, 10_000), ("b", 20_000, 30_000)}
    assert trace.notes == ()


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_compressed_file_that_ends_early_gives_what_is_before(data: st.DataObject) -> None:
    """The same holds when what was cut off is a compressed file."""
    packed = gzip.compress(TEXT.encode(), mtime=0)
    packed = packed[: data.draw(st.integers(2, len(packed) - 1))]
    try:
        trace = read(packed)
    except InputError as error:
        assert "\n" not in str(error)
        return
    found = [span.name for span in trace]
    assert found == NAMES[: len(found)]
    assert sum("ends early" in note for note in trace.notes) == 1


def test_a_damaged_compressed_file_is_refused() -> None:
    """What follows the damage cannot be read, and what was read before it may be wrong."""
    noise = [event("cpu_op", f"aten::{at * 7919 % 10007}", at) for at in range(4000)]
    packed = bytearray(gzip.compress(json.dumps({"traceEvents": noise}).encode(), mtime=0))
    packed[len(packed) // 2 : len(packed) // 2 + 50] = b"\x00" * 50
    with pytest.raises(InputError, match="is damaged") as refused:
        read(bytes(packed))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "right", "note"),
    [
        (r'"C:\Users\model.py"', r"C:\Users\model.py", "backslashes"),
        (r'"C:\\Users\model\users.py"', r"C:\Users\model\users.py", "backslashes"),
        ('"nan is -inf"', "nan is -inf", None),
        ("7", "7", None),
        ("null", "None", None),
    ],
)
def test_paths_of_windows_are_read(wrong: str, right: str, note: str | None) -> None:
    """Single backslashes cost nothing but a note, also beside escaped ones."""
    trace = read(TEXT.replace('"aten::c"', wrong))
    assert [span.name for span in trace] == [*NAMES[:2], right, *NAMES[3:]]
    assert len(trace.notes) == (note is not None)
    assert note is None or note in trace.notes[0]


@pytest.mark.parametrize("number", ["NaN", "nan", "-nan", "inf", "-Infinity", "nan(ind)"])
def test_numbers_that_are_none_are_left_out(number: str) -> None:
    """A bandwidth of nan, as printf writes it, does not cost the file."""
    text = TEXT.replace('"Strides": [', f'"memory bandwidth (GB/s)": {number}, "Strides": [')
    assert names(text) == NAMES


def test_bytes_that_are_no_text_are_replaced() -> None:
    """A name of garbage bytes becomes a name with replacement characters."""
    found = names(TEXT.encode().replace(b"aten::c", b"aten::\xff\xfe"))
    assert found == [*NAMES[:2], "aten::��", *NAMES[3:]]


@pytest.mark.parametrize(
    ("kind", "field"), [("cpu_op", "Input type"), ("cpu_op", "Input Dims"), ("kernel", "grid"), ("kernel", "block")]
)
def test_bytes_that_are_no_text_cost_their_value(kind: str, field: str) -> None:
    """Also in values that are taken over as they stand; the span stays."""
    text = json.dumps({"traceEvents": [event(kind, "k", 0, 4, **{field: ["float"]})]})
    (span,) = read(text.encode().replace(b"float", b"fl\xeb\xff"))
    assert (span.name, span.duration_ns) == ("k", 4_000)


@pytest.mark.parametrize(
    ("sound", "damaged"),
    [
        ('"aten::c",', '"aten::c" oops,'),
        ('"aten::c"', '"two\nlines"'),
        ('"aten::c"', r'"half \ud800 pair"'),
        ('"baseTime', ' nonsense "baseTime'),
        ("\n ],", ",\n ],"),
        ('"x"\n}', '"x"\n} and more'),
    ],
)
def test_other_damage_is_refused_in_one_line(sound: str, damaged: str) -> None:
    """Words between values, control and half characters in texts, a comma too many, text behind the end."""
    assert sound in TEXT
    with pytest.raises(InputError, match=r"is damaged: .*byte") as refused:
        read(TEXT.replace(sound, damaged))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "strange",
    [
        {"ph": "X", "name": "x", "ts": 1, "dur": 1, "args": [1, 2]},
        {"ph": "X", "name": {"a": 1}, "ts": 1, "dur": 1},
        {"ph": "X", "name": "x", "ts": "soon", "dur": 1},
        ["no", "event"],
        None,
    ],
)
def test_strange_events_cost_only_themselves(strange: Any) -> None:
    """An event of another form is left out and counted."""
    trace = read(json.dumps({"schemaVersion": 1, "traceEvents": [*EVENTS, strange]}))
    assert [span.name for span in trace] == NAMES
    assert trace.notes == ("1 event with fields of an unexpected type left out",)


@pytest.mark.parametrize(
    ("event", "length", "note"),
    [
        (event("cpu_op", "x", 10, -3), 0, "end before they start"),
        ({"ph": "X", "cat": "cpu_op", "name": "x", "ts": 10, "pid": 1, "tid": 1}, 0, "no duration"),
        ({"ph": "X", "cat": "cpu_op", "name": "x", "dur": 10, "pid": 1, "tid": 1}, None, "no time"),
        (event("cpu_op", "x", 1e30, 1), None, "no time"),
        (event("cpu_op", "x", 1, 1e300), None, "no time"),
        (event("cpu_op", "x", 10, 0), 0, None),
        ({**event("cpu_op", "x", 1, 1), "ts": "NaN"}, None, "no time"),
        ({**event("cpu_op", "x", 1, 1), "ts": "Infinity"}, None, "no time"),
        ({**event("cpu_op", "x", 1, 1), "dur": "sNaN"}, None, "no time"),
    ],
)
def test_impossible_times_are_named(event: dict[str, Any], length: int | None, note: str | None) -> None:
    """Spans that end before they start have no length, those without a usable time are left out: both are counted."""
    trace = traced(*EVENTS, event)
    found = [span for span in trace if span.name == "x"]
    assert [span.duration_ns for span in found] == ([] if length is None else [length])
    assert [note in one for one in trace.notes] == ([True] if note else []) if note else trace.notes == ()


@pytest.mark.parametrize("time", ["NaN", "sNaN", "-Infinity", "1e999999999", "1e99999999"])
@pytest.mark.parametrize("phase", ["B", "E", "s", "i", "M"])
def test_times_that_are_no_numbers_cost_only_their_events(phase: str, time: str) -> None:
    """Texts that a decimal number may be, and numbers without end, of events that are no spans."""
    strange = {"ph": phase, "cat": "fwdbwd", "name": "[memory]", "ts": time, "pid": 1, "tid": 1, "id": 1}
    trace = traced(*EVENTS, {**strange, "args": {"Bytes": 4, "Device Type": 0, "Total Allocated": 4}})
    assert [span.name for span in trace] == NAMES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a Chrome or Kineto trace"),
        ("{}", "not a Chrome or Kineto trace"),
        ("hello", "not a Chrome or Kineto trace"),
        ('{"traceEvents": 5}', "holds no events"),
        ('{"traceEvents": []}', "holds no events"),
        ("[]", "holds no events"),
        ('{"traceEvents": [', "holds no events"),
        ('{"traceEvents": {"a": 1}}', "holds no events"),
        ('[{"ph": "M", "name": "process_name"}]', "holds no spans"),
        ('{"traceEvents": [' + "[" * 100_000, "trace"),
    ],
)
def test_what_is_no_trace_is_refused_in_one_line(text: str, message: str) -> None:
    """Whatever holds no span is refused with its path and what to do."""
    with pytest.raises(InputError, match=message) as refused:
        read(text)
    assert "\n" not in str(refused.value)
    assert "trace.json" in str(refused.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A file that is not there, and a folder, are refused by name."""
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match="cannot read trace"):
            read_kineto(path)


def test_the_header_is_optional(tmp_path: Path) -> None:
    """Rank and base of the times are read wherever they stand, and are None where they are of another form."""
    path = tmp_path / "t.json"
    for header, rank, base in (
        ({"distributedInfo": {"rank": 3}, "baseTimeNanoseconds": 7}, 3, 7),
        ({"distributedInfo": "none", "baseTimeNanoseconds": "then"}, None, None),
        ({}, None, None),
    ):
        for text in ({**header, "traceEvents": EVENTS}, {"traceEvents": EVENTS, **header}):
            path.write_text(json.dumps(text), encoding="utf-8")
            document, _ = read_chrome_json(path)
            assert (document.rank, document.base_ns, len(document.events)) == (rank, base, len(EVENTS))


ONE = '{"traceEvents":[' + json.dumps(event("cpu_op", "aten::a", 0))
"""The beginning of a trace, up to the end of its first event."""
MANY = 10_000_001


@pytest.mark.parametrize(
    ("before", "value", "behind"),
    [
        ("[", "[],", "1]"),
        ("[", "1,", "nan]"),
        (ONE + ',"', '","', '"'),
        (ONE[:-1] + ',"name":[', "1,", "1]}]}"),
        (ONE + '],"deviceProperties":[', "[],", "1]}"),
    ],
    ids=["lists", "numbers", "texts", "in an event", "behind the events"],
)
def test_values_without_number_are_refused_before_they_are_made(before: str, value: str, behind: str) -> None:
    """What would have to be read as one, and become more objects than any profiler writes, is counted first."""
    text = before + value * MANY + behind
    with pytest.raises(InputError, match="holds more than 10,000,000 values and cannot be read in parts"):
        read(gzip.compress(text.encode(), 1))


def test_events_without_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small they are; the line says how many are read."""
    monkeypatch.setattr("dlbricks.limits.TRACE_EVENTS", 5)
    with pytest.raises(InputError, match=r"has more than 5 events"):
        read("[" + ",\n".join(json.dumps(one) for one in EVENTS) + "]")


def test_a_text_without_end_costs_what_is_behind_it() -> None:
    """However long it is and whatever it holds."""
    assert names(ONE + ',{"name":"' + '\\"x' * (1 << 20)) == ["aten::a"]
    assert names(ONE + ',{"ph":"X","ts":1,"dur":1,"name":"' + "x\\y" * (1 << 19) + '"}]}') == [
        "aten::a",
        r"x\y" * (1 << 19),
    ]


def test_kinds_of_events_without_number_are_counted_together() -> None:
    """Phases that no format knows share a note, and a note names a few categories only."""
    odd = [{"ph": f"p{at}", "cat": f"c{at}"} for at in range(50)]
    trace = traced(*EVENTS, *odd, *(event(f"c{at}", "x", at) for at in range(50)))
    assert sum("phase" in note for note in trace.notes) == 1
    assert any(note.endswith("30 more") for note in trace.notes)


@pytest.mark.parametrize("value", [[], [1, [2]], {}, {"a": 1}])
@pytest.mark.parametrize("key", ["device", "inDevice", "stream", "Device Type", "Bytes"])
def test_lists_and_objects_for_numbers_are_read(key: str, value: object) -> None:
    """What no profiler writes for a device, a stream or a size takes nothing from the other spans."""
    given = {"device": 0, "stream": 7, "correlation": 1, "Bytes": 8, "Device Type": 1, key: value}
    kernel = {**event("kernel", "gemm", 20, 5), "args": given}
    memory = {**event("cpu_instant_event", "[memory]", 2, 0), "ph": "i", "args": given}
    text = json.dumps({"schemaVersion": 1, "traceEvents": [*EVENTS, kernel, memory]})
    assert set(names(text)) == {*NAMES, "gemm"}
