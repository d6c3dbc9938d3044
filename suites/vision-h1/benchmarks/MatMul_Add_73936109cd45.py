"""MatMul_Add alone: `python MatMul_Add_73936109cd45.py [--threads N] [--json]`.

Benchmark 73936109cd4529344eb5ed080412582fbfc50d5a31c13bd0ec34783bd296055e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('73936109cd4529344eb5ed080412582fbfc50d5a31c13bd0ec34783bd296055e', SUITE, sys.argv[1:]))
