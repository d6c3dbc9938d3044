"""Concat alone: `python Concat_d04a3f2e14bd.py [--threads N] [--json]`.

Benchmark d04a3f2e14bd35e7aca5f1e53d0fab9f2fe03e2dfa2b845ae995bf26215da94e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d04a3f2e14bd35e7aca5f1e53d0fab9f2fe03e2dfa2b845ae995bf26215da94e', SUITE, sys.argv[1:]))
