"""The first 40 minutes on a GPU: one stage after the other, each under a time limit, each leaving files.

``python benchmarks/gpu/run.py OUT`` runs what OUT does not hold yet; a stage that fails, hangs or is not possible here
stops no other one. ``--provider cpu --quick`` is the dry run of all of it on a processor. README.md says how to use it.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Stage(NamedTuple):
    """A function of ``stages.py``."""

    name: str
    limit_s: int
    what: str


STAGES = (
    Stage("fields", 30, "fields of nvidia-smi and NVML, one by one"),
    Stage("libraries", 90, "packages, providers, libraries, doctor, names of CUPTI"),
    Stage("tracer", 120, "30 starts and stops of the tracer, and what they do to calls"),
    Stage("memory", 120, "memory of 1, 8 and 64 sessions"),
    Stage("constants", 180, "call, launch lag, wait, depth; host and device times of known kernels"),
    Stage("smoke", 300, "the smoke suite with kernels traced, and its check"),
    Stage("networks", 900, "12 networks whole and in parts"),
    Stage(
        "cold",
        240,
        "the same networks warm, and with the second-level cache cleared before each call, whole and in parts",
    ),
    Stage("lowered", 150, "the graphs that the runtime would execute"),
    Stage("counters", 150, "counters of a product, and roofs"),
)
"""In their order: 40 minutes if each takes all of its time, the first ones tell most."""


def main() -> int:
    """Run stages; give 1 if one failed, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder of the files; a stage whose outcome lies there is not run again")
    parser.add_argument("--provider", default="cuda")
    parser.add_argument("--quick", action="store_true", help="little of everything, to see that it runs")
    parser.add_argument("--only", action="append", choices=[stage.name for stage in STAGES], help="may be repeated")
    parser.add_argument("--again", action="store_true", help="run what failed once more")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    outcomes = [outcome(stage, given) for stage in STAGES if not given.only or stage.name in given.only]
    return int(any(one["status"] == "failed" for one in outcomes))


def outcome(stage: Stage, given: argparse.Namespace) -> dict[str, object]:
    """Run a stage unless its outcome is there, and write that down: status, seconds, last line."""
    path = given.out / f"{stage.name}.outcome.json"
    if path.exists():
        known: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
        if not (given.again and known["status"] == "failed"):
            print(f"{stage.name}: {known['status']} before")
            return known
    print(f"{stage.name}: {stage.what} (at most {stage.limit_s} s)", flush=True)
    begin = time.monotonic()
    status = run(stage, given)
    log = (given.out / f"{stage.name}.log").read_text(encoding="utf-8", errors="replace").strip()
    made: dict[str, object] = {
        "status": status,
        "seconds": round(time.monotonic() - begin, 1),
        "last": log.rpartition("\n")[2][:300],
    }
    scratch = path.with_suffix(".tmp")
    scratch.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    scratch.replace(path)
    print(f"{stage.name}: {status} in {made['seconds']} s; {made['last']}", flush=True)
    return made


def run(stage: Stage, given: argparse.Namespace) -> str:
    """Run a stage in a process group of its own, which ends with it: nobody else is stopped."""
    command = [sys.executable, str(HERE / "stages.py"), stage.name, str(given.out.resolve()), given.provider]
    command += ["--quick"] if given.quick else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    with (given.out / f"{stage.name}.log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, env=environment, cwd=ROOT, start_new_session=True
        )
        try:
            code = process.wait(timeout=stage.limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "failed"
    return "ok" if code == 0 else "failed"


if __name__ == "__main__":
    sys.exit(main())
