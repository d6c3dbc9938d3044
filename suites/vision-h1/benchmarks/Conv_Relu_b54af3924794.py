"""Conv_Relu alone: `python Conv_Relu_b54af3924794.py [--threads N] [--json]`.

Benchmark b54af3924794270129f981a45e584f26c86d1b2122976b0df69491b2b4af4aa5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b54af3924794270129f981a45e584f26c86d1b2122976b0df69491b2b4af4aa5', SUITE, sys.argv[1:]))
