"""Add alone: `python Add_719c65a7ea6e.py [--threads N] [--json]`.

Benchmark 719c65a7ea6e0251c86b293f8c1fc9ea8b5d54becf6b5b46e0c1fb92f3d86e06,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('719c65a7ea6e0251c86b293f8c1fc9ea8b5d54becf6b5b46e0c1fb92f3d86e06', SUITE, sys.argv[1:]))
