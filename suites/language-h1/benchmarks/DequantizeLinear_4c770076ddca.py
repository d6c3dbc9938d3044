"""DequantizeLinear alone: `python DequantizeLinear_4c770076ddca.py [--threads N] [--json]`.

Benchmark 4c770076ddcab17c51c1f318fdba6cef26840e04152a6f5d9b79ee81211c8959,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4c770076ddcab17c51c1f318fdba6cef26840e04152a6f5d9b79ee81211c8959', SUITE, sys.argv[1:]))
