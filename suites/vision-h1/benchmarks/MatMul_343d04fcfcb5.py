"""MatMul alone: `python MatMul_343d04fcfcb5.py [--threads N] [--json]`.

Benchmark 343d04fcfcb5d112b7beeecd762f76f44a6e68900a36be48edc86d63efc31505,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('343d04fcfcb5d112b7beeecd762f76f44a6e68900a36be48edc86d63efc31505', SUITE, sys.argv[1:]))
