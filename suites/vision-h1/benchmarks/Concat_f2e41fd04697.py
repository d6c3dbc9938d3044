"""Concat alone: `python Concat_f2e41fd04697.py [--threads N] [--json]`.

Benchmark f2e41fd04697ddddd86bf5384dee9c77fcd74b980872010ead8f0185ce7f16b0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f2e41fd04697ddddd86bf5384dee9c77fcd74b980872010ead8f0185ce7f16b0', SUITE, sys.argv[1:]))
