"""DequantizeLinear alone: `python DequantizeLinear_dbc2bed900db.py [--threads N] [--json]`.

Benchmark dbc2bed900dbfbfce6e3d1484785484de591318db2bd9cfac6b043914308bd3e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dbc2bed900dbfbfce6e3d1484785484de591318db2bd9cfac6b043914308bd3e', SUITE, sys.argv[1:]))
