"""Gather alone: `python Gather_9535a4ff894f.py [--threads N] [--json]`.

Benchmark 9535a4ff894f87ac859ab3e2ffa36280698b9a20c5a0f9760ce23a651dd29d49,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9535a4ff894f87ac859ab3e2ffa36280698b9a20c5a0f9760ce23a651dd29d49', SUITE, sys.argv[1:]))
