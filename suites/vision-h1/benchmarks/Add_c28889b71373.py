"""Add alone: `python Add_c28889b71373.py [--threads N] [--json]`.

Benchmark c28889b7137357ab8e8c8346caa1597cf3122c5e57cd67a6efebdea8183135c3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c28889b7137357ab8e8c8346caa1597cf3122c5e57cd67a6efebdea8183135c3', SUITE, sys.argv[1:]))
