"""Add alone: `python Add_caa92acd046f.py [--threads N] [--json]`.

Benchmark caa92acd046f88ffbba6362feb17a225103d4e9cc49a95302deb9d1b44fe13cd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('caa92acd046f88ffbba6362feb17a225103d4e9cc49a95302deb9d1b44fe13cd', SUITE, sys.argv[1:]))
