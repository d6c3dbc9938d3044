"""Gemm_Relu alone: `python Gemm_Relu_e3cc0922866f.py [--threads N] [--json]`.

Benchmark e3cc0922866f364df588000028b1cec01705ee68ca0f60e00188827b61647933,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e3cc0922866f364df588000028b1cec01705ee68ca0f60e00188827b61647933', SUITE, sys.argv[1:]))
