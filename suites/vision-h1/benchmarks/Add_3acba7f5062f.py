"""Add alone: `python Add_3acba7f5062f.py [--threads N] [--json]`.

Benchmark 3acba7f5062f85c15949103d7f44a04f7395c608b7d19fa2a82490c6c2b46bb8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3acba7f5062f85c15949103d7f44a04f7395c608b7d19fa2a82490c6c2b46bb8', SUITE, sys.argv[1:]))
