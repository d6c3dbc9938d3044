"""Conv_Relu alone: `python Conv_Relu_0b99eb4d28b1.py [--threads N] [--json]`.

Benchmark 0b99eb4d28b180b32c8bcea6e0ee5cd4256b39869241bd609554230a64d97907,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0b99eb4d28b180b32c8bcea6e0ee5cd4256b39869241bd609554230a64d97907', SUITE, sys.argv[1:]))
