"""Relu alone: `python Relu_19738b733c15.py [--threads N] [--json]`.

Benchmark 19738b733c15d37e60ef2757411b8674b3b041b2398a0f371c961f30d8e4ba63,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19738b733c15d37e60ef2757411b8674b3b041b2398a0f371c961f30d8e4ba63', SUITE, sys.argv[1:]))
