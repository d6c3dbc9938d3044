"""MatMul_Add alone: `python MatMul_Add_7e39f0978b56.py [--threads N] [--json]`.

Benchmark 7e39f0978b5690b657bee907764de0a5c577c6abfe3fce952429f40e574f622f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7e39f0978b5690b657bee907764de0a5c577c6abfe3fce952429f40e574f622f', SUITE, sys.argv[1:]))
