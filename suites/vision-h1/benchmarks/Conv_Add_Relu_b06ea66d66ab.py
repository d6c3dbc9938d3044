"""Conv_Add_Relu alone: `python Conv_Add_Relu_b06ea66d66ab.py [--threads N] [--json]`.

Benchmark b06ea66d66ab28b161217598e3517dc2c05fae7b6d51642425f4bf0bbd967a9b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b06ea66d66ab28b161217598e3517dc2c05fae7b6d51642425f4bf0bbd967a9b', SUITE, sys.argv[1:]))
