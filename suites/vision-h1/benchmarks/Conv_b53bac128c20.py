"""Conv alone: `python Conv_b53bac128c20.py [--threads N] [--json]`.

Benchmark b53bac128c205aa037ef560a00d523a648b771177c08e571314ffbc93f93550b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b53bac128c205aa037ef560a00d523a648b771177c08e571314ffbc93f93550b', SUITE, sys.argv[1:]))
