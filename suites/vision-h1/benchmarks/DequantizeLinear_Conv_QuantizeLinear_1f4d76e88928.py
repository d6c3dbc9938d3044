"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_1f4d76e88928.py [--threads N] [--json]`.

Benchmark 1f4d76e8892815af68a4575782d77fbc5c1721b8de5899795fa1cd22240d943a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1f4d76e8892815af68a4575782d77fbc5c1721b8de5899795fa1cd22240d943a', SUITE, sys.argv[1:]))
