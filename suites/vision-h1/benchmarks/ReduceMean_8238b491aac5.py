"""ReduceMean alone: `python ReduceMean_8238b491aac5.py [--threads N] [--json]`.

Benchmark 8238b491aac51bccb469ac251c0b6fa8dedc31c447b098b8ec9c3b69f2ea9bac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8238b491aac51bccb469ac251c0b6fa8dedc31c447b098b8ec9c3b69f2ea9bac', SUITE, sys.argv[1:]))
