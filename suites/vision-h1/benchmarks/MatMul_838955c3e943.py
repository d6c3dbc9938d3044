"""MatMul alone: `python MatMul_838955c3e943.py [--threads N] [--json]`.

Benchmark 838955c3e943b89232298fd082251a2f0e6ffadc5d5e7ef7941762b59a43c041,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('838955c3e943b89232298fd082251a2f0e6ffadc5d5e7ef7941762b59a43c041', SUITE, sys.argv[1:]))
