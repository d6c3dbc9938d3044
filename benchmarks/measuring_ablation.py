"""Measure networks with each mechanism of measuring switched off, by turns: its worth where samples cannot say.

``python benchmarks/measuring_ablation.py NETWORK... --keep DIR`` validates every network as it is and once without each
mechanism, one after the other, and prints estimated over measured of each; runs are kept in ``DIR/<mechanism>``, where
``ablation.py`` reads them. A mechanism is switched off by a ``sitecustomize`` that this script writes for the workers.
"""

import argparse
import contextlib
import dataclasses
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from dlbricks.construct.types import Rule
from dlbricks.harness import cache_state
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run import runner
from dlbricks.settings import SplitSettings
from dlbricks.validate.measure import ValidationPlan, validate

_NO_WARM_UP = """
from dlbricks.harness.cache_state import CodeWarmUp
CodeWarmUp.other = lambda self, fingerprint: None
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A mechanism that is switched off."""

    name: str
    in_workers: str = ""
    """Python that each worker runs before anything else."""
    small_blocks: bool = True
    """Whether a run holds the small blocks of memory."""
    overhead_beside: bool = True
    """Whether empty graphs are timed just before benchmarks."""


SWITCHES = (
    Switch(name="as-it-is"),
    Switch(name="no-code-warm-up", in_workers=_NO_WARM_UP),
    Switch(name="no-small-blocks", small_blocks=False),
    Switch(name="no-overhead-beside", overhead_beside=False),
)


@contextlib.contextmanager
def off(switch: Switch) -> Iterator[None]:
    """Switch a mechanism off, in this process and in workers that it starts."""
    with contextlib.ExitStack() as stack:
        if switch.in_workers:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            Path(folder, "sitecustomize.py").write_text(switch.in_workers, encoding="utf-8")
            stack.enter_context(patch.object(sys, "path", [folder, *sys.path]))
        if not switch.small_blocks:
            stack.enter_context(patch.object(runner, "small_blocks_held", contextlib.nullcontext))
        if not switch.overhead_beside:
            stack.enter_context(patch.object(cache_state.CallOverhead, "choose", lambda *_: None))
        yield


def main() -> None:
    """Measure, and print a line for each network and mechanism."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", type=Path, nargs="+")
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[one.name for one in SWITCHES])
    options = parser.parse_args()
    chosen = [one for one in SWITCHES if one.name in options.only]
    plan = ValidationPlan(
        settings=SplitSettings(target="onnxruntime-cpu"),
        rule=Rule.parse("sequential"),
        options=RunOptions(),
    )
    for turn, network in enumerate(options.networks):
        first = turn % len(chosen)
        for switch in (*chosen[first:], *chosen[:first]):
            kept = dataclasses.replace(plan, keep=options.keep / switch.name)
            (options.keep / switch.name).mkdir(parents=True, exist_ok=True)
            with off(switch):
                made = validate([network], kept, progress=lambda *_: None, record=lambda _: None)
            for one in made.networks:
                print(f"{one.network} {switch.name} {one.ratio:.4f}", flush=True)
            for failed in made.failed:
                print(f"{failed.network} {switch.name} failed: {failed.reason}", flush=True)


if __name__ == "__main__":
    main()
