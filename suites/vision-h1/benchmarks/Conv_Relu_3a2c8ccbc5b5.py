"""Conv_Relu alone: `python Conv_Relu_3a2c8ccbc5b5.py [--threads N] [--json]`.

Benchmark 3a2c8ccbc5b53d4ace0ad0b989071285034ea0c354278de15923276ac881adc5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3a2c8ccbc5b53d4ace0ad0b989071285034ea0c354278de15923276ac881adc5', SUITE, sys.argv[1:]))
