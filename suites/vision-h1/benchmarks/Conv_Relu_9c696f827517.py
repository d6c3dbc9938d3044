"""Conv_Relu alone: `python Conv_Relu_9c696f827517.py [--threads N] [--json]`.

Benchmark 9c696f827517cfabf56bea37547177060210ed97021dd1102c17774bd37909ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9c696f827517cfabf56bea37547177060210ed97021dd1102c17774bd37909ca', SUITE, sys.argv[1:]))
