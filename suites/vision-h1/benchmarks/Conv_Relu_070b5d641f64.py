"""Conv_Relu alone: `python Conv_Relu_070b5d641f64.py [--threads N] [--json]`.

Benchmark 070b5d641f647d520fa301ee6b934419ae1084e8be841fa8117c3fb7536648bf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('070b5d641f647d520fa301ee6b934419ae1084e8be841fa8117c3fb7536648bf', SUITE, sys.argv[1:]))
