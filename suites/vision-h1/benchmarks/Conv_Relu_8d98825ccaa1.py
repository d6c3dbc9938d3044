"""Conv_Relu alone: `python Conv_Relu_8d98825ccaa1.py [--threads N] [--json]`.

Benchmark 8d98825ccaa1e39a8ce0b21697b41a8aa1f4c08434882988c79a842699814f3e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d98825ccaa1e39a8ce0b21697b41a8aa1f4c08434882988c79a842699814f3e', SUITE, sys.argv[1:]))
