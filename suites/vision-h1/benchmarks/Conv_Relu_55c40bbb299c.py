"""Conv_Relu alone: `python Conv_Relu_55c40bbb299c.py [--threads N] [--json]`.

Benchmark 55c40bbb299cc0e014b59679f5cfe6871651cc0ceaa6db628438ed33ceee3c36,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('55c40bbb299cc0e014b59679f5cfe6871651cc0ceaa6db628438ed33ceee3c36', SUITE, sys.argv[1:]))
