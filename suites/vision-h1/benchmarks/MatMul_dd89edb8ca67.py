"""MatMul alone: `python MatMul_dd89edb8ca67.py [--threads N] [--json]`.

Benchmark dd89edb8ca67fd518d0022c38572d7493a1dacb3a134ba491063fbf3cdd5b444,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dd89edb8ca67fd518d0022c38572d7493a1dacb3a134ba491063fbf3cdd5b444', SUITE, sys.argv[1:]))
