"""MatMul alone: `python MatMul_302f04d42179.py [--threads N] [--json]`.

Benchmark 302f04d421796eb8bf2f3d5688a4f252efbe4f2b0570685b3f256eca974204e0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('302f04d421796eb8bf2f3d5688a4f252efbe4f2b0570685b3f256eca974204e0', SUITE, sys.argv[1:]))
