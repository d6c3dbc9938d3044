"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_82301a7932f1.py [--threads N] [--json]`.

Benchmark 82301a7932f13c0f70b2960baa62eb75d83752de688c18ec9c067d94fefb0001,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('82301a7932f13c0f70b2960baa62eb75d83752de688c18ec9c067d94fefb0001', SUITE, sys.argv[1:]))
