"""Add alone: `python Add_510fc3266606.py [--threads N] [--json]`.

Benchmark 510fc32666061725b228dd73cb62dec785e9a6c4380a4e87225471d8abe72b97,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('510fc32666061725b228dd73cb62dec785e9a6c4380a4e87225471d8abe72b97', SUITE, sys.argv[1:]))
