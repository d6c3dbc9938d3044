"""Transpose alone: `python Transpose_934a5da04c10.py [--threads N] [--json]`.

Benchmark 934a5da04c10ed0e162ea757f466230dea15cbc515f930aee524dd110bdf3cb3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('934a5da04c10ed0e162ea757f466230dea15cbc515f930aee524dd110bdf3cb3', SUITE, sys.argv[1:]))
