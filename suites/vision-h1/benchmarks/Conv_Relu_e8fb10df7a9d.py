"""Conv_Relu alone: `python Conv_Relu_e8fb10df7a9d.py [--threads N] [--json]`.

Benchmark e8fb10df7a9d132e317babc55b92406f448b3e28a7130c0faca36cdc839f93f3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e8fb10df7a9d132e317babc55b92406f448b3e28a7130c0faca36cdc839f93f3', SUITE, sys.argv[1:]))
