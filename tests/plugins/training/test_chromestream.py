"""Reading traces batch by batch: what comes out is what reading the whole file gives, whatever the layout."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dlbricks.plugins.training.chrome_json import ChromeEvent, NotStreamableError, read_chrome_json, stream_chrome_json
from dlbricks.plugins.training.kineto import read_kineto

_HEAD = {"schemaVersion": 1, "distributedInfo": {"rank": 3}}
_BASE = {"baseTimeNanoseconds": 7}
_Events = list[dict[str, Any]]
_LAYOUTS: dict[str, Callable[[_Events], str]] = {
    "compact": lambda events: json.dumps(_whole(events), separators=(",", ":")),
    "spaced": lambda events: json.dumps(_whole(events)),
    "indented": lambda events: json.dumps(_whole(events), indent=1),
    "list": json.dumps,
    "head behind": lambda events: json.dumps({"traceEvents": events, **_HEAD, **_BASE}),
    "byte order mark": lambda events: "\ufeff" + json.dumps(_whole(events)),
}


def _whole(events: _Events) -> dict[str, Any]:
    return {**_HEAD, "traceEvents": events, **_BASE}


def _noted(events: _Events) -> _Events:
    """Give events with a text that looks like the end of one."""
    return [{**event, "args": {"note": "}, {"}} for event in events]


@pytest.fixture(scope="module")
def events() -> _Events:
    """Give enough events for several batches."""
    return [
        {
            "ph": "X", "cat": "cpu_op", "name": f"aten::op{at % 97} {{a}}, b", "pid": 1, "tid": 2,
            "ts": at * 10 + 0.125, "dur": 5,
            "args": {"External id": at, "Input Dims": [[at % 7, 2], []], "Input type": ["float", ""]},
        }
        for at in range(20_000)
    ]  # fmt: skip


@pytest.mark.parametrize("members", [0, 1, 3])
@pytest.mark.parametrize("layout", list(_LAYOUTS))
def test_batches_add_up_to_the_whole(tmp_path: Path, events: _Events, layout: str, members: int) -> None:
    """Every event comes once and in order, in more than one batch, and the head is that of the whole document."""
    path = tmp_path / "trace.json"
    text = _LAYOUTS[layout](events).encode()
    step = -(-len(text) // max(members, 1))
    parts = [text[begin : begin + step] for begin in range(0, len(text), step)]
    path.write_bytes(b"".join(gzip.compress(part, mtime=0) for part in parts) if members else text)
    batches: list[list[ChromeEvent]] = []
    document = stream_chrome_json(path, batches.append)
    whole, notes = read_chrome_json(path)
    assert not notes
    assert len(batches) > 1
    assert [event for batch in batches for event in batch] + document.events == whole.events
    assert (document.rank, document.base_ns, document.kineto) == (whole.rank, whole.base_ns, whole.kineto)


@pytest.mark.parametrize(
    "damaged",
    [
        lambda events: json.dumps({"nested": {"traceEvents": events[:9]}, **_whole(events)}),
        lambda events: json.dumps(_whole(events))[:-1] + f', "traceEvents": {json.dumps(events[:9])}}}',
        lambda events: json.dumps(_whole(_noted(events))),
        lambda events: json.dumps(_whole(events))[:-1000],
        lambda _: json.dumps(_whole([])),
        lambda events: json.dumps(_whole(events)).replace('"dur": 5', '"dur": [5]', 1),
        lambda _: "",
    ],
    ids=["nested", "twice", "end in a text", "cut off", "empty", "strange", "nothing"],
)
def test_what_cannot_be_cut_is_refused(tmp_path: Path, events: _Events, damaged: Callable[[_Events], str]) -> None:
    """Files in which a cut might be wrong are left to the reader of whole files, never read wrongly."""
    path = tmp_path / "trace.json"
    path.write_text(damaged(events), encoding="utf-8")
    with pytest.raises(NotStreamableError):
        stream_chrome_json(path, lambda _: None)


def test_a_compressed_file_that_ends_early_is_refused(tmp_path: Path, events: _Events) -> None:
    """Half of a gzip stream is no whole trace."""
    path = tmp_path / "trace.json.gz"
    packed = gzip.compress(json.dumps(_whole(events)).encode(), mtime=0)
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(NotStreamableError):
        stream_chrome_json(path, lambda _: None)


def test_refused_files_are_read_as_a_whole(tmp_path: Path, events: _Events) -> None:
    """A text that looks like the end of an event costs no event and gives none twice."""
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(_whole(_noted(events))), encoding="utf-8")
    trace = read_kineto(path)
    assert [trace.names[name] for name in trace.name] == [event["name"] for event in events]
