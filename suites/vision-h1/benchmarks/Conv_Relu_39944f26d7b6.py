"""Conv_Relu alone: `python Conv_Relu_39944f26d7b6.py [--threads N] [--json]`.

Benchmark 39944f26d7b6404b6118e53a903868120a1484edaaa2237b67bdb4bdb220956c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('39944f26d7b6404b6118e53a903868120a1484edaaa2237b67bdb4bdb220956c', SUITE, sys.argv[1:]))
