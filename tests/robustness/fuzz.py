"""Feeds changed files to the command line; ``make fuzz`` does so for an hour and keeps what it finds.

``python -m tests.robustness.fuzz --seconds 3600`` tries seeds one after another. A find is made small and added to
``tests/robustness/regressions.json``, which ``test_fuzz.py`` tries for good.
"""

import argparse
import base64
import collections
import json
import os
import random
import shutil
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import onnx

from dlbricks.model.read.decoders import SETTINGS
from tests.robustness.driver import Limits, Outcome, called
from tests.robustness.emitted import SMOKE, foreign
from tests.robustness.mutations import (
    mutated_bytes,
    mutated_challenge,
    mutated_footer,
    mutated_json,
    mutated_network,
    mutated_suite,
)
from tests.robustness.packing import packed
from tests.robustness.retraced import retraced
from tests.robustness.rewired import rewired
from tests.robustness.sound import (
    ROOT,
    SYSTEM,
    challenge,
    decoder,
    measured,
    networks,
    profiled,
    suite,
    trace,
)

REGRESSIONS = Path(__file__).with_name("regressions.json")
LIMITS = Limits(seconds=60)
"""Of a machine that others use, too; what is promised is half of that on one that is idle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One changed file and the call that gets it."""

    verb: str
    """Key of ``CALLS``."""
    data: bytes


def with_settings(file: Path, out: Path) -> list[str | Path]:
    """Give the folder of a decoder whose settings are a file, and lengths for it."""
    folder = out / "decoder"
    folder.mkdir(exist_ok=True)
    for name in os.listdir(decoder()):
        if name != SETTINGS:
            shutil.copyfile(decoder() / name, folder / name)
    shutil.copyfile(file, folder / SETTINGS)
    return [folder, "--dim", "past=12", "--dim", "sequence=1"]


def at() -> tuple[str, ...]:
    """Name the system whose results are stored, and the store."""
    return "--system", SYSTEM, "--store", f"sqlite:///{measured() / 'store.sqlite'}"


ASK = ("--system", SYSTEM, "--allow-missing")
CALLS: dict[str, Callable[[Path, Path], list[str | Path]]] = {
    "inspect": lambda file, _: ["inspect", file, "--layers"],
    "decoyed": lambda file, out: ["generate", measured() / "0.onnx", "-o", out / "suite", "--decoys", file],
    "planned": lambda file, out: ["grid", file, "-o", out / "plan", *at()],
    "covered": lambda file, _: ["coverage", file, *at(), "--json"],
    "changed": lambda file, _: ["whatif", file, *at(), "--apply", "int8"],
    "inspect-json": lambda file, _: ["inspect", file, "--json", "-H", "inf"],
    "generate": lambda file, out: ["generate", file, "-o", out / "suite"],
    "lowered": lambda file, out: ["generate", file, "-o", out / "suite", "--target", "onnxruntime-cpu", "-H", "4"],
    "check": lambda file, _: ["check", file],
    "submit": lambda file, out: ["submit", file, "--store", f"sqlite:///{out / 'store.sqlite'}"],
    "analyse": lambda file, _: ["analyse", file],
    "whatif": lambda file, _: ["whatif", file, "--apply", "scale:0.5"],
    "export": lambda file, out: ["export", file, "-o", out / "exported"],
    "report": lambda file, out: ["report", file, "-o", out / "page.html"],
    "extract": lambda file, out: ["extract", file, "0", "-o", out / "one.pyz"],
    "run": lambda file, out: ["run", file, "--smoke", "--timeout", "10s", "--name", SYSTEM, "-o", out / "result.json"],
    "estimate": lambda file, _: ["estimate", file, *ASK, "--store", f"sqlite:///{measured() / 'store.sqlite'}"],
    "stored": lambda file, _: ["estimate", measured() / "0.onnx", *ASK, "--store", f"sqlite:///{file}"],
    "bundled": lambda file, _: ["estimate", measured() / "0.onnx", *ASK, "--bundle", file],
    "decoder": lambda file, out: ["inspect", *with_settings(file, out)],
    "prompted": lambda file, out: [
        *("llm", "generate", with_settings(file, out)[0], "--prompt", "8", "--generate", "4", "-o", out / "suite")
    ],
    "profiled": lambda file, _: ["analyse", file],
    "pictured": lambda file, out: ["report", file, "-o", out / "page.html"],
    "asked": lambda file, _: ["whatif", file, "--apply", "scale:0.5"],
    "challenged": lambda file, _: ["challenge", "verify", file, challenge() / "answer.json"],
    "answered": lambda file, _: ["challenge", "verify", challenge() / "challenge.zip", file],
    "doubted": lambda file, out: [
        *("challenge", "make", file, "--suite", SMOKE, "--time", "1s", "-o", out / "challenge.zip")
    ],
    "suites": lambda file, out: ["suites", "--add", file, "--store", f"sqlite:///{out / 'store.sqlite'}"],
}
SCRIPTS = 4
"""Of a plain page of ``report``."""
NETWORK, SUBMISSION, TRACE, SUITE, STORE = "network", "submission", "trace", "suite", "store"
REWIRED, RETRACED = "rewired", "retraced"
DECODER, PROFILE, CHALLENGE, ANSWER = "decoder", "profile", "challenge", "answer"
VERBS = {
    NETWORK: ("inspect", "inspect", "inspect", "inspect-json", "generate", "lowered", "estimate"),
    REWIRED: ("inspect", "generate", "lowered", "estimate", "decoyed", "planned", "covered", "changed"),
    RETRACED: ("analyse", "whatif", "export", "report"),
    SUBMISSION: ("check", "submit", "doubted"),
    TRACE: ("analyse", "whatif", "export", "report"),
    SUITE: ("extract", "suites", "run", "run"),
    STORE: ("stored", "bundled"),
    DECODER: ("decoder", "decoder", "prompted"),
    PROFILE: ("profiled", "pictured", "asked"),
    CHALLENGE: ("challenged",),
    ANSWER: ("answered",),
}


def case(kind: str, seed: int) -> Case:
    """Draw a case, from the seed alone but for stores, which hold times."""
    draw = random.Random(f"{kind} {seed}")  # noqa: S311 - nothing secret
    verb = draw.choice(VERBS[kind])
    if kind == REWIRED:
        return Case(verb=verb, data=rewired(draw.choice(networks()), draw))
    if kind == RETRACED:
        return Case(verb=verb, data=retraced(trace(), draw))
    if kind == NETWORK:
        data, by_field = draw.choice(networks()), mutated_network
    elif kind == SUITE:
        if draw.random() < 0.8:
            return Case(verb=verb, data=mutated_suite(suite(), draw))
        data, by_field = packed(suite()), mutated_bytes
    elif kind == CHALLENGE:
        data, by_field = (challenge() / "challenge.zip").read_bytes(), mutated_challenge
    elif kind == STORE:
        name = "bundle.parquet" if verb == "bundled" else "store.sqlite"
        data, by_field = (measured() / name).read_bytes(), mutated_footer if verb == "bundled" else mutated_bytes
    else:
        data, by_field = _document(kind), mutated_json
    mutate = by_field if draw.random() < 0.8 else mutated_bytes
    return Case(verb=verb, data=mutate(data, draw))


def _document(kind: str) -> bytes:
    if kind == TRACE:
        return trace()
    places: dict[str, Callable[[], Path]] = {
        DECODER: lambda: decoder() / SETTINGS,
        PROFILE: lambda: profiled() / "profile.json",
        ANSWER: lambda: challenge() / "answer.json",
        SUBMISSION: lambda: ROOT / "tests/data/submission_smoke.json",
    }
    return places[kind]().read_bytes()


def attempt(one: Case, limits: Limits = LIMITS) -> Outcome:
    """Call the command line with a case."""
    debug = mock.patch.dict(os.environ, {"DLBRICKS_DEBUG": "1"})
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, debug:
        file = Path(folder) / "given"
        file.write_bytes(one.data)
        outcome = called(CALLS[one.verb](file, Path(folder)), limits)
        if outcome.kind == "refused" and "unbound dimensions" in outcome.said and "=N" in outcome.reason:
            given = outcome.reason.partition(": give ")[2].partition(" (")[0].replace("=N", "=3").split()
            outcome = called([*CALLS[one.verb](file, Path(folder)), *given], limits)
        strange = [*foreign(Path(folder), SCRIPTS)]
        if outcome.fine and strange:
            return replace(outcome, kind="code", said=f"not of templates: {strange[:5]}")
        return outcome


def place(outcome: Outcome) -> str:
    """Say where an outcome comes from, so that two of the same cause are known."""
    lines = [line.strip() for line in outcome.said.splitlines()]
    files = [line for line in lines if line.startswith("File") and "dlbricks" in line]
    return f"{outcome.kind} {files[-1] if files else ''} {outcome.reason[:100]}"


def smaller(one: Case, like: str, seconds: float) -> Case:
    """Make a case small while it goes wrong at the same place."""
    until = time.monotonic() + seconds
    if one.verb in {*VERBS[NETWORK], *VERBS[REWIRED]} - {*VERBS[TRACE]}:
        try:
            onnx.load_model_from_string(one.data)
        except Exception:  # noqa: BLE001 - it is no message any more
            return one
    step = max(1, len(one.data) // 2)
    while step and time.monotonic() < until:
        for data in _without(one, step):
            if time.monotonic() >= until:
                break
            tried = Case(verb=one.verb, data=data)
            if len(data) < len(one.data) and place(attempt(tried)) == like:
                one = tried
                break
        else:
            step //= 2
    return one


def _without(one: Case, step: int) -> Iterator[bytes]:
    """Give a case with parts left out: nodes, tensors and fields of a network, else stretches of bytes."""
    if one.verb in {*VERBS[NETWORK], *VERBS[REWIRED]} - {*VERBS[TRACE]}:
        model = onnx.load_model_from_string(one.data)
        for name in ("node", "initializer", "value_info", "input", "output"):
            values = getattr(model.graph, name)
            for start in range(0, len(values), step):
                copied = onnx.ModelProto()
                copied.CopyFrom(model)
                del getattr(copied.graph, name)[start : start + step]
                yield copied.SerializeToString()
        return
    for start in range(0, len(one.data), step):
        yield one.data[:start] + one.data[start + step :]


def kept(path: Path = REGRESSIONS) -> dict[str, Case]:
    """Give the cases that went wrong once, by name."""
    found = json.loads(path.read_text()) if path.exists() else {}
    return {
        name: Case(verb=entry["verb"], data=zlib.decompress(base64.b64decode(entry["data"])))
        for name, entry in found.items()
    }


def keep(name: str, one: Case, path: Path = REGRESSIONS) -> None:
    """Add a case to those that are tried for good."""
    entries = json.loads(path.read_text()) if path.exists() else {}
    entries[name] = {"verb": one.verb, "data": base64.b64encode(zlib.compress(one.data, 9)).decode()}
    path.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n")


def main() -> None:
    """Try seeds until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--first", type=int, default=int(time.time()) * 1000, help="seed to begin with")
    parser.add_argument("--kind", choices=VERBS, action="append", help="default: all in turn")
    parser.add_argument("--log", type=Path, help="file for one line of JSON per find")
    parser.add_argument("--most", type=int, default=1 << 62, help="cases")
    parser.add_argument("--regressions", type=Path, default=REGRESSIONS)
    given = parser.parse_args()
    until, counts, seen = time.monotonic() + given.seconds, collections.Counter[str](), set[str]()
    kinds = given.kind or list(VERBS)
    for number in range(given.most):
        if time.monotonic() >= until:
            break
        kind, seed = kinds[number % len(kinds)], given.first + number
        one = case(kind, seed)
        outcome = attempt(one)
        counts[f"{kind} {outcome.kind}"] += 1
        if not outcome.fine and place(outcome) not in seen:
            seen.add(place(outcome))
            print(f"{kind} {seed} {one.verb}: {place(outcome)}", flush=True)
            small = smaller(one, place(outcome), 120)
            keep(f"{kind}-{seed}", small, given.regressions)
            if given.log:
                with given.log.open("a") as sink:
                    sink.write(json.dumps([kind, seed, one.verb, place(outcome), outcome.said[-3000:]]) + "\n")
        if number % 500 == 499:
            print(number + 1, dict(counts), flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main()
