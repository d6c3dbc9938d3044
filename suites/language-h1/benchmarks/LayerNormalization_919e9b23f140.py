"""LayerNormalization alone: `python LayerNormalization_919e9b23f140.py [--threads N] [--json]`.

Benchmark 919e9b23f140e34b6422f98243b1ef619825b3e366242ad756b7686f4c174be3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('919e9b23f140e34b6422f98243b1ef619825b3e366242ad756b7686f4c174be3', SUITE, sys.argv[1:]))
