"""LayerNormalization alone: `python LayerNormalization_cb9dfdf4efc4.py [--threads N] [--json]`.

Benchmark cb9dfdf4efc481212fe3b16d30f3f1c2d7765df712be744060df6ef922783ddd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cb9dfdf4efc481212fe3b16d30f3f1c2d7765df712be744060df6ef922783ddd', SUITE, sys.argv[1:]))
