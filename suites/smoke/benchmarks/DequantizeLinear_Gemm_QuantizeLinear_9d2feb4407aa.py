"""DequantizeLinear_Gemm_QuantizeLinear alone: `python DequantizeLinear_Gemm_QuantizeLinear_9d2feb4407aa.py [--threads N] [--json]`.

Benchmark 9d2feb4407aa4b8428ecf2619d68e44394847559ca75d7f25504b379dcfbae3f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9d2feb4407aa4b8428ecf2619d68e44394847559ca75d7f25504b379dcfbae3f', SUITE, sys.argv[1:]))
