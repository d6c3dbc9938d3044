"""Conv_Relu alone: `python Conv_Relu_b0e909b17aef.py [--threads N] [--json]`.

Benchmark b0e909b17aef8af21ac441766d90988c0e1abdc71c430897ec39d17f6ce4244f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b0e909b17aef8af21ac441766d90988c0e1abdc71c430897ec39d17f6ce4244f', SUITE, sys.argv[1:]))
