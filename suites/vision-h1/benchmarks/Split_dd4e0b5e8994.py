"""Split alone: `python Split_dd4e0b5e8994.py [--threads N] [--json]`.

Benchmark dd4e0b5e8994af634a92297a0677effa705683908b7a85aa3c7762853f23c383,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dd4e0b5e8994af634a92297a0677effa705683908b7a85aa3c7762853f23c383', SUITE, sys.argv[1:]))
