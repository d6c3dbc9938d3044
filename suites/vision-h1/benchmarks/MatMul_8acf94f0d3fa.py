"""MatMul alone: `python MatMul_8acf94f0d3fa.py [--threads N] [--json]`.

Benchmark 8acf94f0d3fabc028e2e574db18ce1f15384b75754244ca28620500b506ead1a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8acf94f0d3fabc028e2e574db18ce1f15384b75754244ca28620500b506ead1a', SUITE, sys.argv[1:]))
