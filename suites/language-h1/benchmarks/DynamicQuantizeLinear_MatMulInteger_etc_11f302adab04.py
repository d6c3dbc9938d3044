"""DynamicQuantizeLinear_MatMulInteger_etc alone: `python DynamicQuantizeLinear_MatMulInteger_etc_11f302adab04.py [--threads N] [--json]`.

Benchmark 11f302adab041b47da6677215bb5db4330d02c1d5c4582e3a4a597636f902375,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11f302adab041b47da6677215bb5db4330d02c1d5c4582e3a4a597636f902375', SUITE, sys.argv[1:]))
