"""Conv alone: `python Conv_0c2ec4ea5e5e.py [--threads N] [--json]`.

Benchmark 0c2ec4ea5e5e66734e221f1e1e62159abe6be4f7793ba4ae15fa788194729a76,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0c2ec4ea5e5e66734e221f1e1e62159abe6be4f7793ba4ae15fa788194729a76', SUITE, sys.argv[1:]))
