"""DequantizeLinear alone: `python DequantizeLinear_459972899c19.py [--threads N] [--json]`.

Benchmark 459972899c1942482cf356cfa95290997e2e39cd8f2eddbf57b74a2c4b46ee58,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('459972899c1942482cf356cfa95290997e2e39cd8f2eddbf57b74a2c4b46ee58', SUITE, sys.argv[1:]))
