"""ReduceMean alone: `python ReduceMean_4c4ffb2d3c32.py [--threads N] [--json]`.

Benchmark 4c4ffb2d3c321aac9aac74af683ada1685c4d9f2f76d224b4e4494b7ed9ab135,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4c4ffb2d3c321aac9aac74af683ada1685c4d9f2f76d224b4e4494b7ed9ab135', SUITE, sys.argv[1:]))
