"""Conv_Relu alone: `python Conv_Relu_8b21a4291a70.py [--threads N] [--json]`.

Benchmark 8b21a4291a700d4cc3782598a875afb79ad4a53798050b9655378736f06198c3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8b21a4291a700d4cc3782598a875afb79ad4a53798050b9655378736f06198c3', SUITE, sys.argv[1:]))
