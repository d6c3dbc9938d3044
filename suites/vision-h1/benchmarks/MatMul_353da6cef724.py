"""MatMul alone: `python MatMul_353da6cef724.py [--threads N] [--json]`.

Benchmark 353da6cef7240e1c073080f92a177e0be47187c5b479b4461ba86187f15aa468,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('353da6cef7240e1c073080f92a177e0be47187c5b479b4461ba86187f15aa468', SUITE, sys.argv[1:]))
