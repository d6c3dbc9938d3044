"""Conv_Clip alone: `python Conv_Clip_81ea2ba4ce2b.py [--threads N] [--json]`.

Benchmark 81ea2ba4ce2bc097f13bd6a78f730e1a6b5428bc010a601eb5fd3f6a288f1198,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('81ea2ba4ce2bc097f13bd6a78f730e1a6b5428bc010a601eb5fd3f6a288f1198', SUITE, sys.argv[1:]))
