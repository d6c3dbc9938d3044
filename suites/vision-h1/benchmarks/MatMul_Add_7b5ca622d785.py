"""MatMul_Add alone: `python MatMul_Add_7b5ca622d785.py [--threads N] [--json]`.

Benchmark 7b5ca622d7855879880f52fa5aa0ca95480565aeb908b71853745f237fa2e7a2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b5ca622d7855879880f52fa5aa0ca95480565aeb908b71853745f237fa2e7a2', SUITE, sys.argv[1:]))
