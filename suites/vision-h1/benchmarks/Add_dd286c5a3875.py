"""Add alone: `python Add_dd286c5a3875.py [--threads N] [--json]`.

Benchmark dd286c5a38753b9be32d673fd76098bd223297430f2d944f07e3fd534dd9b0cc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dd286c5a38753b9be32d673fd76098bd223297430f2d944f07e3fd534dd9b0cc', SUITE, sys.argv[1:]))
