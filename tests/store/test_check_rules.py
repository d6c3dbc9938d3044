"""Every rule is silent about a clean run and speaks up, alone, about the one thing it is there for."""

import copy
import dataclasses
import json
import math
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.harness.cache_state import LLC_WARM, WEIGHTS_COLD
from dlbricks.harness.runtimes.onnxruntime import RECORDED_OPTIONS, explicit_options
from dlbricks.harness.session import SessionSettings
from dlbricks.harness.stats import relative_trend, trend
from dlbricks.store.document import INPUTS, OUTPUTS, Document, read_document
from dlbricks.store.submission import MAX_FINDINGS, RULES, check, worst_severity
from dlbricks.store.summary import configuration, measurements
from dlbricks.store.types import Finding
from dlbricks.suite.manifest import Target
from dlbricks.typed_json import MESSAGE_LIMIT
from tests.store.made_up_run import STARTED_NS, document, settled, suite, traced

_RECORDED = Path(__file__).parents[1] / "data" / "submission_smoke.json"
_ANCHOR, _OVERHEAD, _CURVE, _FIRST, _SECOND = 0, 3, 4, 5, 6
"""Places in the made-up document."""

Change = Callable[[Document], object]


def _set(path: str, value: object) -> Change:
    """Make the change that puts a value at a dotted path."""

    def change(made: Document) -> None:
        *way, last = (int(key) if key.isdigit() else key for key in path.split("."))
        place: Any = made
        for key in way:
            place = place[key]
        place[last] = value

    return change


def _delete(path: str) -> Change:
    def change(made: Document) -> None:
        *way, last = path.split(".")
        place = made
        for key in way:
            place = place[key]
        del place[last]

    return change


def _resized(factor: float, place: int = _FIRST, *, cold: bool = True) -> Change:
    """Make the change that gives a benchmark other times, and everything that follows from them."""

    def change(made: Document) -> None:
        for visit in made["benchmarks"][place]["visits"]:
            visit["samples_ns"] = [round(sample * factor) for sample in visit["samples_ns"]]
            if not cold:
                visit["samples_ns"][0] = visit["samples_ns"][1]
        settled(made)

    return change


def _sampled(samples: Callable[[int, int], int], place: int = _FIRST) -> Change:
    """Make the change that gives every sample of a benchmark by visit and call."""

    def change(made: Document) -> None:
        for turn, visit in enumerate(made["benchmarks"][place]["visits"]):
            visit["samples_ns"] = [samples(turn, call) for call in range(len(visit["samples_ns"]))]
        settled(made)

    return change


def _stopped(made: Document, place: int = _FIRST, status: str = "not run", reason: str = "out of time") -> None:
    made["benchmarks"][place] |= {"status": status, "reason": reason, "visits": [], "output_digests": []}
    made["benchmarks"][place]["verdict"] = {"kind": "failed", "text": reason}
    made["complete"] = status != "not run"
    settled(made)


def _no_latency(made: Document) -> None:
    for place in range(_FIRST, len(made["benchmarks"])):
        _stopped(made, place, "failed", "out of memory")


def _reference(key: str, value: object) -> Change:
    def change(made: Document) -> None:
        made["suite"]["manifest"]["benchmarks"][_FIRST][key] = value
        settled(made)

    return change


def _twice(made: Document) -> None:
    again = copy.deepcopy(made["benchmarks"][_FIRST])
    again |= {"status": "failed", "reason": "lost", "visits": [], "verdict": {"kind": "failed", "text": "lost"}}
    made["benchmarks"].append(again)


def _stranger(made: Document) -> None:
    made["benchmarks"].append(
        made["benchmarks"][_FIRST] | {"fingerprint": "0" * 64, "status": "failed", "reason": "lost"}
    )
    made["benchmarks"][-1] |= {"visits": [], "verdict": {"kind": "failed", "text": "lost"}}


def _rounded(made: Document) -> None:
    for row in made["benchmarks"]:
        for visit in row["visits"]:
            visit["samples_ns"] = [sample // 1000 * 1000 for sample in visit["samples_ns"]]
    settled(made)


def _jumping(offset: int) -> Callable[[int, int], int]:
    return lambda turn, call: 100_000 + 30_000 * (7 * turn % 5 > 2) + offset + 7 * call


def _wobbling(made: Document) -> None:
    for place in range(_FIRST, len(made["benchmarks"])):
        _sampled(_jumping(place), place)(made)


def _late(made: Document) -> None:
    for row in made["benchmarks"][:3]:
        del row["visits"][-1]
    settled(made)


def _gpu(reasons: str) -> list[dict[str, object]]:
    return [{"name": "GPU", "driver": "1", "throttle_reasons": reasons}]


def _hot(made: Document) -> None:
    made["system"]["facts_before"]["gpus"], made["system"]["facts_after"]["gpus"] = _gpu("0x01"), _gpu("0x48")


def _for_target(**target: object) -> Change:
    def change(made: Document) -> None:
        made["suite"]["manifest"]["target"].update(target)
        settled(made)

    return change


def _with_speed(speed: Callable[[float], float]) -> Change:
    def change(made: Document) -> None:
        made.update(document(speed=speed, rounds=12))

    return change


def _drifting(change: float) -> Change:
    """Make the change that lets calls take longer by a share over the run."""
    return _with_speed(lambda share: 1 + change * share)


def _visit(place: int, index: int, **fields: object) -> Change:
    """Make the change that gives one visit other fields."""
    return lambda made: made["benchmarks"][place]["visits"][index].update(fields)


def _in_state(state: str, distance_bytes: int, place: int = _FIRST) -> Change:
    """Make the change that says of all visits of a benchmark that they were in one state."""

    def change(made: Document) -> None:
        for visit in made["benchmarks"][place]["visits"]:
            visit.update(state=state, distance_bytes=distance_bytes, samples_ns=visit["samples_ns"][:1])
        settled(made)

    return change


def _without(state: str, place: int = _FIRST) -> Change:
    """Make the change that takes all visits in one state away."""

    def change(made: Document) -> None:
        row = made["benchmarks"][place]
        row["visits"] = [visit for visit in row["visits"] if visit["state"] != state]
        settled(made)

    return change


def _on_accelerator(made: Document) -> None:
    """Turn the run into one where every call is repeated."""
    made["runtime"].update(provider="cuda", providers=["CUDAExecutionProvider"])
    _facts(("gpus",), _gpu("0x01"), _gpu("0x01"))(made)
    for row in made["benchmarks"]:
        kept = [visit for visit in row["visits"] if visit["state"] in {"hot_loop", "weights_cold"}]
        row["visits"] = [visit | {"state": "hot_loop", "distance_bytes": 0} for visit in kept]
    settled(made)


def _state_on_accelerator(made: Document) -> None:
    _on_accelerator(made)
    _in_state("llc_warm", 2**22, _SECOND)(made)


def _called_again(factor: float, *places: int) -> Change:
    """Make the change that adds repeated calls after each call near, shorter than it by a factor."""

    def change(made: Document) -> None:
        for row in [made["benchmarks"][place] for place in places] or made["benchmarks"]:
            if row["role"] == "sequence":
                near = [visit for visit in row["visits"] if visit["state"] == "llc_warm"]
                row["visits"] += [
                    visit
                    | {"state": "hot_loop", "distance_bytes": 0, "start_ns": visit["start_ns"] + sample + 1}
                    | {"samples_ns": [round(sample * factor), round(sample * factor) + 7]}
                    for visit in near
                    for sample in visit["samples_ns"]
                ]
                row["visits"].sort(key=lambda visit: visit["start_ns"])
        settled(made)

    return change


def _curve_of(latency: Callable[[int], int]) -> Change:
    """Make the change that gives the curve benchmark other times, by distance in bytes."""

    def change(made: Document) -> None:
        for turn, visit in enumerate(made["benchmarks"][_CURVE]["visits"]):
            visit["samples_ns"] = [latency(visit["distance_bytes"]) + 13 * turn]
        settled(made)

    return change


def _slow_overhead(made: Document) -> None:
    """Let a call of an empty graph take long in one state only."""
    for visit in made["benchmarks"][_OVERHEAD]["visits"]:
        if visit["state"] == WEIGHTS_COLD:
            visit["samples_ns"] = [1000 * sample for sample in visit["samples_ns"]]
    settled(made)


def _disturbed(share: float) -> Change:
    """Make the change that calls a share of the visits of every benchmark disturbed."""

    def change(made: Document) -> None:
        for row in made["benchmarks"]:
            for visit in row["visits"][: round(share * len(row["visits"]))]:
                visit["disturbed"] = True
        settled(made)

    return change


def _facts(path: tuple[str, ...], before: object, after: object) -> Change:
    """Make the change that gives the machine a fact before and after the run."""

    def change(made: Document) -> None:
        for when, value in (("facts_before", before), ("facts_after", after)):
            place = made["system"][when]
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value

    return change


def _queued(*, host: int = 90_000, device: int | None = None, kernels: int = 3) -> Change:
    """Make the change that turns the run into one on a device, with times of its queue in ns; they add up to calls."""

    def change(made: Document) -> None:
        _on_accelerator(made)
        made["queue"] = {"call_ns": 4000, "launch_lag_ns": 3000, "synchronise_ns": 1000, "kernel_gap_ns": 0}
        for row in made["benchmarks"]:
            if row["role"] == "sequence":
                call_ns = round(statistics.median(one for visit in row["visits"] for one in visit["samples_ns"]))
                fields = {"host": host, "device": call_ns - host - 8000 if device is None else device}
                times = {f"{name}{end}_ns": ns for name, ns in fields.items() for end in _ENDS}
                row["queue"] = {**times, "kernels": kernels, "synchronises": False}

    return change


_ENDS = ("", "_low", "_high")


def _device_of(device: int) -> Change:
    """Make the change that gives the first sequence of a run on a device another device time, ns."""
    times = {f"device{end}_ns": device for end in _ENDS}
    return lambda made: (_queued()(made), made["benchmarks"][_FIRST]["queue"].update(times))


def _kernels_of(*traced_ns: int) -> Change:
    """Make the change that gives the first sequence of a run on a device a trace with such kernels, ns."""

    def change(made: Document) -> None:
        traced(made)
        _queued()(made)
        del made["options"]["trace"]
        for row in made["benchmarks"]:
            columns = row.pop("trace", {}).get("kernels", {})
            if row is made["benchmarks"][_FIRST]:
                columns = {name: cells[:1] * len(traced_ns) for name, cells in columns.items()}
                row["trace"] = {"levels": "MLK", "kernels": {**columns, "duration_ns": list(traced_ns)}}
                row["queue"]["traced"] = 5

    return change


def _around(call_ns: int) -> Change:
    """Make the change that turns the run into one of single launches, with another call overhead."""
    return lambda made: (_queued(kernels=1)(made), made["queue"].update(call_ns=call_ns, launch_lag_ns=0))


def _with_more(change: Change) -> Change:
    """Make a change of a document of more sequences."""
    return lambda made: (made.update(document(sequences=9)), change(made))


_flat_curve = _curve_of(lambda size: 60_000 - size // 2**20)


def _delete_trace(made: Document) -> None:
    del made["benchmarks"][_SECOND]["trace"]


def _traced_and(*changes: Change) -> Change:
    """Make the change that gives a document traces, and something else."""

    def change(made: Document) -> None:
        traced(made)
        for one in changes:
            one(made)

    return change


_LAYERS = f"benchmarks.{_FIRST}.trace.layers"
_KERNELS = f"benchmarks.{_FIRST}.trace.kernels"


def _cold_empty(made: Document) -> None:
    for visit in made["benchmarks"][_OVERHEAD]["visits"]:
        if visit["state"] == WEIGHTS_COLD:
            visit["samples_ns"] = [30 * one for one in visit["samples_ns"]]
    settled(made)


def _in_bfloat16(made: Document) -> None:
    """Round the sampled answers of a sequence to the nearest number of bfloat16, which has 8 binary digits."""
    digest = made["benchmarks"][_FIRST]["output_digests"][0]
    parts = map(math.frexp, digest["samples"])
    digest["samples"] = [math.ldexp(round(256 * part) / 256, exponent) for part, exponent in parts]


_TRIGGERS: dict[str, tuple[Change, ...]] = {
    "DB001": (
        _traced_and(_set(f"{_LAYERS}.count", [1])),
        _traced_and(_set(f"{_LAYERS}.name", [0, 10**6])),
        _traced_and(_set(f"{_LAYERS}.parent", [-1, 1])),
        _traced_and(_set(f"{_KERNELS}.layer.0", 2)),
        _traced_and(_set(f"{_KERNELS}.duration_ns", [])),
        _traced_and(_set("names", [])),
    ),
    "DB004": (
        _traced_and(_delete_trace),
        _traced_and(_set(f"benchmarks.{_OVERHEAD}.trace", {"levels": "ML", "failed": "out of memory"})),
    ),
    "DB101": (_set("complete", False),),
    "DB102": (
        _set(f"benchmarks.{_FIRST}.verdict.kind", "failed"),
        lambda made: _stopped(made, status="failed", reason=""),
    ),
    "DB105": (_set("started_unix_ns", 7_258_118_400 * 10**9),),
    "DB201": (
        lambda made: made["suite"]["manifest"].update(seed=99),
        _set("suite.digest", "0" * 64),
        _set("suite.name", "famous"),
    ),
    "DB204": (_stranger,),
    "DB205": (_twice,),
    "DB206": (lambda made: (made["benchmarks"].pop(_SECOND), settled(made)),),
    "DB207": (_set("benchmarks.1.role", "whole"), _set(f"benchmarks.{_FIRST}.importance", 0.5)),
    "DB208": (_stopped,),
    "DB209": (lambda made: _stopped(made, status="failed", reason="out of memory"),),
    "DB210": (_no_latency,),
    "DB301": (_set(f"benchmarks.{_FIRST}.output_digests", []),),
    "DB302": (
        _set(f"benchmarks.{_FIRST}.output_digests.0.shape", [8, 14, 14]),
        _set(f"benchmarks.{_FIRST}.output_digests.0.dtype", "float16"),
    ),
    "DB303": (
        _set(f"benchmarks.{_FIRST}.output_digests.0.norm2", 26.0),
        _set(f"benchmarks.{_FIRST}.output_digests.0.samples.7", 2.0),
        _set(f"benchmarks.{_FIRST}.output_digests.0.samples.7", "nan"),
        _in_bfloat16,
    ),
    "DB304": (
        lambda made: (
            _reference("reference", None)(made),
            _set(f"benchmarks.{_FIRST}.output_digests.0.finite", 0.5)(made),
        ),
    ),
    "DB401": (lambda made: (_set(f"benchmarks.{_FIRST}.visits.2.samples_ns.0", 0)(made), settled(made)),),
    "DB403": (_sampled(lambda _turn, _call: 400_001),),
    "DB405": (_rounded,),
    "DB406": (
        lambda made: made["benchmarks"][_FIRST]["visits"][3].update(
            start_ns=made["benchmarks"][_FIRST]["visits"][2]["start_ns"] + 1
        ),
    ),
    "DB408": (_set(f"benchmarks.{_FIRST}.wall_ns", 1_000_000),),
    "DB409": (_set("timing.wall_ns", 5_000_000),),
    "DB410": (lambda made: made["timing"].update(timed_ns=made["timing"]["timed_ns"] - 1),),
    "DB411": (_set(f"benchmarks.{_FIRST}.verdict.kind", "noisy"),),
    "DB412": (_wobbling,),
    "DB413": (_set("options.smoke", True),),
    "DB414": (_disturbed(0.3), _disturbed(0.9)),
    "DB415": (
        _facts(("load", "own_s"), 1.0, 20.0),
        # times of 0.7 of what passed, and of a run that is longer than what passed
        lambda made: _facts(("monotonic_ns",), 7, 7 + made["timing"]["wall_ns"] * 10 // 7)(made),
        lambda made: (made["timing"].update(wall_ns=100 * 10**9), _facts(("monotonic_ns",), 7, 10**10)(made)),
    ),
    "DB416": (lambda made: made["system"]["facts_before"].update(unix_ns=STARTED_NS - 1000 * 10**9),),
    "DB417": (
        lambda made: made["timing"].update(wall_ns=60 * 10**9),
        # it was set back by an hour
        lambda made: made["system"]["facts_after"].update(unix_ns=STARTED_NS - 3_600 * 10**9),
        # it was set forward, or the run was resumed
        lambda made: made["system"]["facts_after"].update(unix_ns=STARTED_NS + 3_600 * 10**9),
    ),
    "DB501": (_delete("system.facts_before.memory"), _set("system.facts_after.memory.total_bytes", None)),
    "DB503": (
        _set("system.facts_after.cpu.model", "Loud Processor 1"),
        _set("system.facts_after.gpus", _gpu("0x01")),
    ),
    "DB505": (_set("system.facts_after.load.busy_s", 200.0),),
    "DB506": (_set("system.facts_after.load.steal_s", 9.0),),
    "DB507": (
        lambda made: (_disturbed(0.6)(made), _set("system.facts_after.load.busy_s", 200.0)(made)),
        lambda made: (_disturbed(0.6)(made), _set("system.facts_after.load.steal_s", 9.0)(made)),
    ),
    "DB509": (_hot,),
    "DB601": (
        _set("runtime.provider", "cuda"),
        _set("runtime.providers", []),
        _set("runtime.providers", ["CUDAExecutionProvider", "CPUExecutionProvider"]),
    ),
    "DB602": (_delete("runtime.session_options.enable_mem_pattern"),),
    "DB603": (_set("runtime.threads", 2),),
    "DB604": (_set("runtime.version", "nightly"),),
    "DB606": (_for_target(name="onnxruntime-cpu", runtime="1.20.0"),),
    "DB607": (_for_target(name="onnxruntime-cpu", runtime="1.31.1", instruction_set=["x86_64", "avx512f"]),),
    "DB608": (_set(f"benchmarks.{_FIRST}.placement", {"CPUExecutionProvider": 3, "XnnpackExecutionProvider": 1}),),
    "DB701": (
        lambda made: _stopped(made, place=_OVERHEAD, status="failed"),
        lambda made: _stopped(made, place=_ANCHOR, status="failed"),
    ),
    "DB702": (_late,),
    "DB704": tuple(map(_drifting, (0.05, 0.5, -0.4, -0.8))),
    "DB801": (_resized(0.003), _slow_overhead),
    "DB802": (lambda made: (_reference("weight_bytes", 10**9)(made), _reference("operators", ["Conv"])(made)),),
    "DB803": (
        lambda made: (
            [
                one["samples_ns"].__setitem__(slice(None), other["samples_ns"])
                for one, other in zip(
                    made["benchmarks"][_SECOND]["visits"], made["benchmarks"][_FIRST]["visits"], strict=True
                )
            ],
            settled(made),
        ),
    ),
    "DB804": (_reference("work", 10**9),),
    "DB808": (
        _resized(100, _OVERHEAD),
        _cold_empty,
    ),
    "DB809": (
        _queued(host=1, device=1),
        _queued(host=10**7, device=1),
        _queued(kernels=0),
        _queued(host=0),
        lambda made: (_reference("work", 2 * 10**13)(made), _queued()(made)),
        lambda made: (
            _queued()(made),
            _facts(("gpus",), *[[{"name": "NVIDIA H200", "driver": "1"}]] * 2)(made),
            _reference("work", 2 * 10**12)(made),
        ),
    ),
    "DB810": (_device_of(800_000), _device_of(100_000)),
    "DB811": (_with_more(_around(0)), _with_more(_around(200_000))),
    "DB812": (_kernels_of(50_000, 50_000, 50_000), _kernels_of(*[56_000] * 9)),
    "DB901": (
        _in_state("hot_loop", 0),
        _in_state("weights_cold", 2**26, place=_ANCHOR),
        _visit(_FIRST, 1, state="read_in_turn"),
        _state_on_accelerator,
    ),
    "DB902": (lambda made: (made["benchmarks"][_FIRST]["visits"][1]["samples_ns"].append(499_123), settled(made)),),
    "DB903": (
        _visit(_FIRST, 0, distance_bytes=2**22 - 1),
        _visit(_FIRST, 0, distance_bytes=2**26 + 1),
        _visit(_FIRST, 1, distance_bytes=2**26 - 1),
        _visit(_ANCHOR, 0, distance_bytes=1),
        _visit(_CURVE, 0, distance_bytes=0),
    ),
    "DB906": (lambda made: _stopped(made, place=_CURVE, status="failed"), _flat_curve),
    "DB908": (_with_more(_called_again(0.39)), _with_more(_called_again(1.3))),
}
"""Ways to break each rule; what needs more than the document has a test of its own."""

_ALSO = {
    "DB809": {"DB804", "DB810"},
    "DB102": {"DB209", "DB411"},
    "DB105": {"DB416"},
    "DB204": {"DB209"},
    "DB205": {"DB209"},
    "DB210": {"DB209"},
    "DB405": {"DB403"},
    "DB414": {"DB411", "DB412"},
    "DB415": {"DB417"},
    "DB416": {"DB417"},
    "DB507": {"DB411", "DB412", "DB414", "DB505", "DB506"},
    "DB406": {"DB407", "DB702"},
    "DB704": {"DB412"},
    "DB701": {"DB209", "DB412"},
    "DB601": {"DB901"},
    "DB801": {"DB406", "DB411", "DB412", "DB808"},
    "DB808": {"DB406", "DB411", "DB412", "DB801"},
    "DB903": {"DB906"},
    "DB906": {"DB209"},
    "DB908": {"DB406"},
}
"""Rules that cannot but break along."""


def _rules(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.rule for finding in findings}


def test_a_clean_run_has_no_findings() -> None:
    """Nothing is said about a quiet, complete run that was left as it is."""
    assert check(document()) == ()
    again = document()
    _called_again(0.41)(again)
    assert check(again) == ()
    assert check(traced(document())) == ()
    assert worst_severity(()) == "clean"
    paused = document() | {"paused_ns": 3_600 * 10**9}
    paused["system"]["facts_after"].update(unix_ns=STARTED_NS + paused["paused_ns"] + paused["timing"]["wall_ns"])
    assert check(paused) == ()


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        pytest.param(rule, change, id=f"{rule}-{index}")
        for rule, all_ in _TRIGGERS.items()
        for index, change in enumerate(all_)
    ],
)
def test_each_rule_speaks_up(rule: str, change: Change) -> None:
    """A document with one fault is faulted for just that, and can still be read."""
    made = document()
    change(made)
    found = check(made)
    assert rule in _rules(found)
    assert _rules(found) <= {rule} | _ALSO.get(rule, set())
    assert all("\n" not in f"{finding.where}{finding.message}" for finding in found)


def test_every_rule_is_tested() -> None:
    """No rule without a way to break it."""
    elsewhere = {"DB202", "DB203", "DB407", "DB807"}
    assert {rule.id for rule in RULES} == _TRIGGERS.keys() | elsewhere


def test_rules_are_well_formed() -> None:
    """Ids are unique, in order and grouped; severities are known; texts are one line and say something."""
    ids = [rule.id for rule in RULES]
    assert ids == sorted(set(ids))
    assert len(ids) >= 18
    for rule in RULES:
        assert re.fullmatch(r"DB\d{3}", rule.id)
        assert rule.severity in {"error", "warning", "info"}
        for text in (rule.explanation, rule.fix):
            assert text.endswith(".")
            assert "\n" not in text
        assert not {"|", "\n"} & set(f"{rule.title}{rule.explanation}{rule.fix}")


def test_options_that_must_be_recorded_are_those_of_the_harness() -> None:
    """Every option that the harness sets in any case is asked for, and no other."""
    assert explicit_options(SessionSettings()).keys() - {"session.intra_op.spin_duration_us"} == RECORDED_OPTIONS


def test_a_smoke_test_is_said_once() -> None:
    """DB413 stands for the unsteady verdicts that a smoke test cannot but have."""
    made = document(rounds=1)
    for row in made["benchmarks"]:
        for visit in row["visits"]:
            visit["samples_ns"] = visit["samples_ns"][:3]
    assert {"DB412"} <= _rules(check(settled(made)))
    made["options"]["smoke"] = True
    assert _rules(check(made)) == {"DB413"}


@given(st.lists(st.floats(1, 1e9), min_size=6, max_size=60))
def test_nothing_becomes_shorter_by_more_than_it_takes(levels: list[float]) -> None:
    """The trend of the anchors was once "111.8% faster"; it has the sign of that of the levels."""
    points = list(enumerate(levels))
    assert -1 <= relative_trend(points) < math.inf
    assert relative_trend(points) * trend(points) >= 0


def test_one_slow_call_of_the_empty_graph_refuses_nothing() -> None:
    """DB801: the only call in a state may have been interrupted, as in a smoke test on a busy machine."""
    made = document()
    row = made["benchmarks"][_OVERHEAD]
    (first, *_), others = (
        [one for one in row["visits"] if (one["state"] == WEIGHTS_COLD) == far] for far in (True, False)
    )
    row["visits"] = [*others, {**first, "samples_ns": [1000 * first["samples_ns"][0]]}]
    assert "DB801" not in _rules(check(settled(made)))


@pytest.mark.parametrize(
    ("disturbed", "factor", "refused"), [(1, 1, False), (2, 1, False), (1, 1000, False), (2, 1000, True)]
)
def test_few_visits_of_the_empty_graph_are_judged_by_the_fastest_call(
    disturbed: int, factor: int, refused: bool
) -> None:
    """DB801 and DB808: on a busy machine all but one visit may be disturbed, and that one slow; not all calls are."""
    made = document()
    row = made["benchmarks"][_OVERHEAD]
    far = [one for one in row["visits"] if one["state"] == WEIGHTS_COLD][: disturbed + 1]
    usual_ns = far[0]["samples_ns"][0]
    slow = {**far[0], "samples_ns": [1000 * usual_ns]}
    marked = [{**one, "disturbed": True, "samples_ns": [factor * usual_ns]} for one in far[1:]]
    row["visits"] = [*(one for one in row["visits"] if one["state"] != WEIGHTS_COLD), slow, *marked]
    assert bool({"DB801", "DB808"} & _rules(check(settled(made)))) == refused


def test_calls_of_an_empty_graph_refuse_no_smoke_test() -> None:
    """DB801 and DB808: all of the few may be slow, since they lie within a tenth of a second; not in another run."""
    made = document()
    for visit in made["benchmarks"][_OVERHEAD]["visits"]:
        visit["samples_ns"] = [
            1000 * sample if visit["state"] == LLC_WARM else sample for sample in visit["samples_ns"]
        ]
    assert {"DB801", "DB808"} <= _rules(check(settled(made)))
    for visit in made["benchmarks"][_OVERHEAD]["visits"]:
        visit["samples_ns"] = [1000 * sample for sample in visit["samples_ns"]]
    made["options"]["smoke"] = True
    assert not {"DB801", "DB808"} & _rules(check(settled(made)))


def smoke_test() -> Document:
    """Give a recorded run with one visit to each benchmark in each state, and a last one to each anchor."""
    made = json.loads(_RECORDED.read_bytes())
    made["options"]["smoke"] = True
    for row in made["benchmarks"]:
        states = [one["state"] for one in row["visits"]]
        first = [one for at, one in enumerate(row["visits"]) if one["state"] not in states[:at]]
        row["visits"] = [*first, *(row["visits"][-1:] if row["role"] == "anchor" else [])]
    return settled(made)


def errors_in(made: Document) -> set[str]:
    """Give the rules that refuse a result."""
    return {one.rule for one in check(made) if one.severity == "error"}


@settings(max_examples=40)
@given(st.data(), st.sampled_from((5, 30, 300)))
def test_one_slow_call_refuses_no_smoke_test(data: st.DataObject, factor: int) -> None:
    """Whatever was slow on a busy machine, and however slow it was."""
    made = smoke_test()
    visits = [visit for row in made["benchmarks"] for visit in row["visits"]]
    slow = data.draw(st.sampled_from(visits))
    place = data.draw(st.integers(0, len(slow["samples_ns"]) - 1))
    longer_ns = (factor - 1) * slow["samples_ns"][place]
    slow["samples_ns"][place] += longer_ns
    for visit in visits:
        visit["start_ns"] += longer_ns * (visit["start_ns"] > slow["start_ns"])
    assert errors_in(settled(made)) == errors_in(smoke_test()) == set()


@pytest.mark.parametrize(("rounds", "warned"), [(3, False), (11, True)])
def test_anchors_of_one_round_are_one_witness(rounds: int, warned: bool) -> None:
    """DB704: three anchors that tell the same of four rounds are no twelve witnesses of a trend; twelve rounds are."""
    made = document(rounds=rounds, speed=lambda over: 1 + 0.5 * over)
    assert ("DB704" in _rules(check(made))) == warned


def test_former_states_are_read_and_not_asked_for() -> None:
    """Older results hold visits with outputs or inputs from memory, too: no fault, and no part of a latency."""
    made = document()
    for row in made["benchmarks"]:
        far = [visit for visit in row["visits"] if row["role"] == "sequence" and visit["state"] == WEIGHTS_COLD]
        for state, visits in ((OUTPUTS, far[1::4]), (INPUTS, far[2::4])):
            for visit in visits:
                visit["state"] = state
    found = read_document(json.dumps(settled(made)).encode())
    assert check(found) == ()
    assert {visit["state"] for row in found["benchmarks"] for visit in row["visits"]} >= {OUTPUTS, INPUTS}
    kept = copy.deepcopy(found)
    for row in kept["benchmarks"]:
        row["visits"] = [visit for visit in row["visits"] if visit["state"] not in {OUTPUTS, INPUTS}]
    was, now = (
        {name: (one.llc_warm_ns, one.weights_cold_ns) for name, one in measurements(each).measurements.items()}
        for each in (found, kept)
    )
    assert was == now


def test_an_accelerator_knows_no_states() -> None:
    """A run on an accelerator whose calls are all repeated has no findings: nothing of the states is asked of it."""
    made = document()
    _on_accelerator(made)
    assert check(made) == ()


def test_a_network_that_is_one_cuda_graph_takes_the_host_no_time() -> None:
    """DB809 asks for time of launches, but for runs whose option makes one launch of a whole graph."""
    made = document()
    _queued(host=0)(made)
    assert "DB809" in _rules(check(made))
    made["runtime"]["provider_options"]["enable_cuda_graph"] = "1"
    assert "DB809" not in _rules(check(made))


def test_bounds_by_durations_of_calls_do_not_contradict_a_trace() -> None:
    """DB812: without traced kernels the number of launches is that of nodes, and the device's time lies in bounds."""
    made = document()
    _kernels_of(*[30_000] * 9)(made)
    assert "DB812" in _rules(check(made))
    queue = made["benchmarks"][_FIRST]["queue"]
    del queue["traced"]
    queue.update(device_low_ns=0, device_high_ns=queue["device_ns"])
    assert "DB812" not in _rules(check(made))
    _kernels_of(*[3_000_000] * 9)(made)
    del made["benchmarks"][_FIRST]["queue"]["traced"]
    assert "DB812" in _rules(check(made))


def test_unknown_suite() -> None:
    """DB202: a suite that is not among the registered ones is refused; a registered one is not."""
    made = document()
    assert _rules(check(made, known_suites=["0" * 64])) == {"DB202"}
    assert check(made, known_suites=["0" * 64, made["suite"]["digest"]]) == ()


def test_another_suite() -> None:
    """DB203: the result of another suite than the one given is refused."""
    made = document()
    assert check(made, suite=suite()) == ()
    (finding,) = check(made, suite=suite(sequences=5))
    assert (finding.rule, finding.where, finding.severity) == ("DB203", "suite.digest", "error")


def test_visits_out_of_order() -> None:
    """DB407: visits of a benchmark that go back in time are refused."""
    made = document()
    visits = made["benchmarks"][_FIRST]["visits"]
    visits[2], visits[3] = visits[3], visits[2]
    assert _rules(check(made)) == {"DB407"}


def test_lowered_suite_where_it_belongs() -> None:
    """DB606 and DB607 are silent on the machine and the runtime that a lowered suite was made for."""
    target = Target(name="onnxruntime-cpu", runtime="1.31.1", instruction_set=("x86_64", "avx2"))
    assert check(document(of=suite(target=target))) == ()


def test_a_suite_lowered_on_a_gpu_belongs_to_its_kind() -> None:
    """DB607 compares compute capabilities where the target is that of a GPU."""
    made = document(of=suite(target=Target(name="onnxruntime-cuda", runtime="1.31.1", instruction_set=("sm_90",))))
    for facts in (made["system"]["facts_before"], made["system"]["facts_after"]):
        facts["gpus"] = [{"name": "NVIDIA H200", "compute_capability": 9.0}]
    assert "DB607" not in _rules(check(made))
    made["system"]["facts_before"]["gpus"][0]["compute_capability"] = 8.0
    assert "DB607" in _rules(check(made))


def test_findings_say_everything() -> None:
    """A finding has its rule's words beside what was found, and where."""
    made = document()
    made["options"]["smoke"] = True
    (finding,) = check(made)
    rule = next(rule for rule in RULES if rule.id == "DB413")
    assert finding == Finding(
        rule="DB413",
        severity="warning",
        title=rule.title,
        message="the run was a smoke test",
        where="options.smoke",
        explanation=rule.explanation,
        fix=rule.fix,
    )


def test_errors_come_first_and_many_are_counted() -> None:
    """Findings go by severity; a rule that speaks up in many places names some and counts the rest."""
    made = document(sequences=30)
    made["harness_version"] = "0.0.7"
    for place in range(_FIRST, len(made["benchmarks"])):
        _stopped(made, place, "failed", "out of memory")
    found = check(made)
    assert [finding.severity for finding in found] == sorted(
        (finding.severity for finding in found), key=["error", "warning", "info"].index
    )
    failed = [finding for finding in found if finding.rule == "DB209"]
    assert len(failed) == MAX_FINDINGS + 1
    assert failed[-1].message == f"this rule has {30 - MAX_FINDINGS} more findings"
    assert worst_severity(found) == "error"
    assert worst_severity([dataclasses.replace(finding, severity="info") for finding in failed]) == "info"


def test_messages_are_one_plain_line() -> None:
    """Whatever others wrote into a document, a message is one line without control characters, and not endless."""
    made = document()
    _stopped(made, status="failed", reason="bad\nnews\x1b[31m " + "x" * 5000)
    (finding,) = (finding for finding in check(made) if finding.rule == "DB209")
    assert finding.message.isprintable()
    assert len(finding.message) == MESSAGE_LIMIT


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"cpu": 3, "load": [], "gpus": 7},
        {"cpu": {"caches": [3, {"type": 1}, {"type": "x", "level": -1}]}},
        {"cpu": {"threads": "x"}, "load": {"average": [[]]}},
    ],
)
def test_odd_facts_break_nothing(facts: dict[str, object]) -> None:
    """Facts may be anything: rules that cannot find theirs say so or are silent."""
    made = document()
    made["system"]["facts_before"] = made["system"]["facts_after"] = facts
    assert "DB501" in _rules(check(made))


def test_triggers_can_be_read() -> None:
    """What the rules are shown here is within the schema: no rule is for what cannot be read anyway."""
    import json

    for changes in _TRIGGERS.values():
        for change in changes:
            made = document()
            change(made)
            assert read_document(json.dumps(made).encode()) == made


def test_what_the_run_itself_was_busy_with_is_nobody_elses_work() -> None:
    """Starting, loading and holding memory take processors, too: the processes say how much."""
    made = document()
    before, after = (made["system"][when]["load"] for when in ("facts_before", "facts_after"))
    after["busy_s"] = before["busy_s"] + 100.0
    assert "DB505" in {finding.rule for finding in check(made)}
    before["own_s"], after["own_s"] = 1.0, 100.5
    assert "DB505" not in {finding.rule for finding in check(made)}


def test_many_threads_that_nobody_disturbs_are_not_refused() -> None:
    """DB507: eight threads wait for each other, so most visits count as disturbed on an idle machine, too."""
    made = document()
    _disturbed(0.9)(made)
    assert "DB507" not in _rules(check(made))
    made["system"]["facts_after"]["load"]["busy_s"] = 200.0
    made["options"]["smoke"] = True
    assert errors_in(made) == set()


def test_others_are_told_from_two_threads_of_the_run() -> None:
    """DB505: a run's own processor time is what its processes state, not the product of threads and duration."""
    made = document()
    made["runtime"]["threads"] = made["runtime"]["session_options"]["intra_op_num_threads"] = 2
    for row in made["benchmarks"]:
        row["wall_ns"] = 10**10 // len(made["benchmarks"])
    _facts(("load", "busy_s"), 100.0, 120.0)(made)
    assert "DB505" not in _rules(check(made))
    _facts(("load", "own_s"), 1.0, 8.0)(made)
    assert "DB505" in _rules(check(made))


def test_coarse_timers_give_equal_samples() -> None:
    """DB403 and DB803: short calls are of few steps of a timer, and few samples equal by chance."""
    made = document()
    for when in ("facts_before", "facts_after"):
        made["system"][when]["timer_ns"] = 1000
    for row in made["benchmarks"][_FIRST : _SECOND + 1]:
        row["visits"] = row["visits"][:8]
        for visit in row["visits"]:
            visit["samples_ns"] = [400_000 for _ in visit["samples_ns"]]
    assert not {"DB403", "DB803"} & _rules(check(settled(made)))


@pytest.mark.parametrize("rule", ["DB802", "DB804"])
def test_another_name_of_a_provider_lifts_no_roof(rule: str) -> None:
    """A machine without a device computes on its processor, whatever the provider is called."""
    made = document()
    for change in _TRIGGERS[rule]:
        change(made)
    _on_accelerator(made)
    made["runtime"].update(provider="fast", providers=["FastExecutionProvider"])
    assert rule not in _rules(check(made))
    _facts(("gpus",), [], [])(made)
    assert rule in _rules(check(made))


def test_a_lower_precision_that_is_declared_is_allowed() -> None:
    """DB303: answers of float32 that were computed in bfloat16 are refused, unless an option says so."""
    made = document()
    _in_bfloat16(made)
    assert _rules(check(made)) == {"DB303"}
    made["runtime"]["session_options"]["INFERENCE_PRECISION_HINT"] = "f32"
    assert _rules(check(made)) == {"DB303"}
    made["runtime"]["session_options"]["INFERENCE_PRECISION_HINT"] = "bf16"
    assert check(made) == ()


def test_results_of_a_runtime_that_is_not_measured_any_more_are_read() -> None:
    """Its name is data: no rule objects, and the configuration holds it."""
    result = document()
    result["runtime"] |= {"name": "tract", "version": "0.23.9", "build": "0.23.9", "session_options": {}}
    assert check(result) == ()
    assert configuration(result).runtime == "tract 0.23.9"
