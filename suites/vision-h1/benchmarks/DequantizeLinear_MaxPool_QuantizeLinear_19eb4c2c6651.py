"""DequantizeLinear_MaxPool_QuantizeLinear alone: `python DequantizeLinear_MaxPool_QuantizeLinear_19eb4c2c6651.py [--threads N] [--json]`.

Benchmark 19eb4c2c665169a70a66995bbb7125654cea3bcc41a60dbc51f82e0600ae8d91,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19eb4c2c665169a70a66995bbb7125654cea3bcc41a60dbc51f82e0600ae8d91', SUITE, sys.argv[1:]))
