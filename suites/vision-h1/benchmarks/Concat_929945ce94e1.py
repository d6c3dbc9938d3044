"""Concat alone: `python Concat_929945ce94e1.py [--threads N] [--json]`.

Benchmark 929945ce94e14b853ef49ec2f24a05381b8ba0722c5f0959d25ccff5d3d612a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('929945ce94e14b853ef49ec2f24a05381b8ba0722c5f0959d25ccff5d3d612a9', SUITE, sys.argv[1:]))
