"""ReduceMean alone: `python ReduceMean_9cc9a9d6a63d.py [--threads N] [--json]`.

Benchmark 9cc9a9d6a63db37cbe5cd4ca377f730d43b8994629b6e4d0aa972011b6092654,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9cc9a9d6a63db37cbe5cd4ca377f730d43b8994629b6e4d0aa972011b6092654', SUITE, sys.argv[1:]))
