"""Transpose alone: `python Transpose_85819caa8fb5.py [--threads N] [--json]`.

Benchmark 85819caa8fb5ede2a84e0cc151bdbaf2893eb038ada3a16ef14dea0327bb43f0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85819caa8fb5ede2a84e0cc151bdbaf2893eb038ada3a16ef14dea0327bb43f0', SUITE, sys.argv[1:]))
