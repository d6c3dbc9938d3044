"""Conv_Relu alone: `python Conv_Relu_ff87f9168190.py [--threads N] [--json]`.

Benchmark ff87f9168190e21d657289e7438b293d37cf4a1e73467637000c9559ee9864f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff87f9168190e21d657289e7438b293d37cf4a1e73467637000c9559ee9864f7', SUITE, sys.argv[1:]))
