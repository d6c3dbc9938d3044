"""Conv_Add_Relu alone: `python Conv_Add_Relu_3b7ec3b0994a.py [--threads N] [--json]`.

Benchmark 3b7ec3b0994a538d5b731bcfbd79a4cf5d4dfdcc758c61a3d1c5bbd3e1251be3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b7ec3b0994a538d5b731bcfbd79a4cf5d4dfdcc758c61a3d1c5bbd3e1251be3', SUITE, sys.argv[1:]))
