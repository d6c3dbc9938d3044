"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_d7150eed59b5.py [--threads N] [--json]`.

Benchmark d7150eed59b54cbd66182875c586e919ccddc9434cb2625ff960e71cb275293e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7150eed59b54cbd66182875c586e919ccddc9434cb2625ff960e71cb275293e', SUITE, sys.argv[1:]))
