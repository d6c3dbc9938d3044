"""References: every benchmark is run once, and sketches of its outputs go into the suite."""

import dataclasses
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from dlbricks.fingerprint import Json
from dlbricks.harness.network import Bound, make_inputs
from dlbricks.harness.output_digest import compare_all, tolerance
from dlbricks.harness.session import RUNTIME_ERRORS, SessionSettings, open_session
from dlbricks.harness.values import ensure_weights
from dlbricks.model.lowering.runtime import spoken
from dlbricks.suite.assemble import Reference, merged_weights
from dlbricks.suite.bricks import Brick
from dlbricks.suite.workers import Crashed, Workers

_CHUNK = 16
_DEEP_OPERATORS = 32
"""Networks of more operators may be so sensitive to rounding that their answers say nothing: they are run twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """Some benchmarks to run in one process."""

    bricks: tuple[Brick, ...]
    weights: Path
    seed: int


def run_references(
    workers: Workers,
    bricks: Sequence[Brick],
    seed: int,
    known: Mapping[str, Reference],
    done: Callable[[int, int], None],
) -> dict[str, Reference]:
    """Run every brick once on the CPU and sketch its outputs.

    Args:
        workers: where.
        bricks: each fingerprint once.
        seed: of weights and inputs.
        known: references of an earlier run by fingerprint; kept where the outputs agree with them.
        done: told how many bricks are done, and how many there are.

    Returns:
        A reference for each brick; without sketches, with the reason, for those that cannot run here or crash the
        runtime.
    """
    # by falling size, so that the largest do not come last
    wanted = sorted(bricks, key=lambda brick: -brick.benchmark.weight_bytes - brick.benchmark.activation_bytes)
    found: dict[str, Reference] = {}
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        blobs = [dataclasses.asdict(blob) for blob in merged_weights(wanted)]
        ensure_weights(Path(folder), blobs, seed)
        tasks = [
            _Task(bricks=tuple(wanted[start : start + _CHUNK]), weights=Path(folder), seed=seed)
            for start in range(0, len(wanted), _CHUNK)
        ]
        parts = workers.each(_run, tasks, lambda count: done(min(count * _CHUNK, len(wanted)), len(wanted)))
        broken = [brick for part in parts if isinstance(part, Crashed) for brick in part.given.bricks]
        alone = [_Task(bricks=(brick,), weights=Path(folder), seed=seed) for brick in broken]
        parts += workers.each(_run, alone, lambda _: None)
    for part in parts:
        if not isinstance(part, Crashed):
            found |= part
        elif len(part.given.bricks) == 1:
            crash = Reference(sketches=None, note="the runtime crashed when the suite was made", ran=False)
            found[part.given.bricks[0].benchmark.fingerprint] = crash
    operators = {brick.benchmark.fingerprint: brick.benchmark.operators for brick in bricks}
    return {key: _settled(one, known.get(key), operators[key]) for key, one in found.items()}


def _run(task: _Task) -> dict[str, Reference]:
    """Run some bricks, each in a session of its own. Runs in a worker process."""
    return {brick.benchmark.fingerprint: _run_one(brick, task) for brick in task.bricks}


def _run_one(brick: Brick, task: _Task) -> Reference:
    operators = brick.benchmark.operators
    try:
        sketches = _sketches(brick, task, prepacking=False)
        deep = len(operators) > _DEEP_OPERATORS
        wrong = compare_all(_sketches(brick, task, prepacking=True), sketches, operators) if deep else None
    except RUNTIME_ERRORS as error:
        text = spoken(str(error).replace(str(task.weights), "weights")) or type(error).__name__
        return Reference(sketches=None, note=f"it did not run when the suite was made: {text}", ran=False)
    if wrong:
        return Reference(sketches=None, note="its answer depends on rounding: two ways to run it here disagree")
    return Reference(sketches=tuple(_rounded(sketch, operators) for sketch in sketches))


def _sketches(brick: Brick, task: _Task, *, prepacking: bool) -> list[dict[str, Json]]:
    """Run a brick once; packed copies of weights only pay when a network is called often."""
    benchmark = {**dataclasses.asdict(brick.benchmark), "overwrites": ""}
    config = () if prepacking else (("session.disable_prepacking", "1"),)
    settings = SessionSettings(optimization=brick.benchmark.optimization, config=config)
    bound = Bound(open_session(brick.network, task.weights, settings), benchmark, make_inputs(benchmark, task.seed))
    bound.visit(1)
    return bound.output_digests()


def _rounded(sketch: dict[str, Json], operators: Sequence[str]) -> dict[str, Json]:
    """Keep the digits that a comparison can see, and two more; integers are kept as they are."""
    allowed = tolerance(cast("str", sketch["dtype"]), operators)
    if allowed == 0:
        return sketch
    digits = 2 + math.ceil(-math.log10(allowed))
    samples = [_round(value, digits) for value in cast("list[Json]", sketch["samples"])]
    norms = {key: _round(sketch[key], digits) for key in ("norm1", "norm2")}
    return sketch | norms | {"samples": samples}


def _round(value: Json, digits: int) -> Json:
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def _settled(made: Reference, known: Reference | None, operators: Sequence[str]) -> Reference:
    """Keep the known reference where this run agrees with it."""
    if known is None or known.sketches is None or made.sketches is None:
        return made
    mine, theirs = (cast("tuple[dict[str, Json], ...]", one) for one in (made.sketches, known.sketches))
    return made if compare_all(mine, theirs, operators) else known
