"""Conv_Relu alone: `python Conv_Relu_d2baea86fb7e.py [--threads N] [--json]`.

Benchmark d2baea86fb7ecd7ea660b9684c1cccdc8b1ab13e4cf1f81e4ee7d15ef7b6962e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d2baea86fb7ecd7ea660b9684c1cccdc8b1ab13e4cf1f81e4ee7d15ef7b6962e', SUITE, sys.argv[1:]))
