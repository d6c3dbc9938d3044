"""MatMul_Add alone: `python MatMul_Add_2a618f2d32dc.py [--threads N] [--json]`.

Benchmark 2a618f2d32dcfe9166a4281a9cb6c0de4f0c02d7b894e03ce23955e3eaa128c7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2a618f2d32dcfe9166a4281a9cb6c0de4f0c02d7b894e03ce23955e3eaa128c7', SUITE, sys.argv[1:]))
