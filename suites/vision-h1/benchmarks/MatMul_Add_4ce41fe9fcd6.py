"""MatMul_Add alone: `python MatMul_Add_4ce41fe9fcd6.py [--threads N] [--json]`.

Benchmark 4ce41fe9fcd606b9bd0793fefed6e827a939d7aa806930da8943070c80895e0d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4ce41fe9fcd606b9bd0793fefed6e827a939d7aa806930da8943070c80895e0d', SUITE, sys.argv[1:]))
