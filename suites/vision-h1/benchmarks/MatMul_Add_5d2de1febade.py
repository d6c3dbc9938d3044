"""MatMul_Add alone: `python MatMul_Add_5d2de1febade.py [--threads N] [--json]`.

Benchmark 5d2de1febaded62f12c8fdfdb62dd62967923ecf663c5a09020b64e5c673073a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d2de1febaded62f12c8fdfdb62dd62967923ecf663c5a09020b64e5c673073a', SUITE, sys.argv[1:]))
