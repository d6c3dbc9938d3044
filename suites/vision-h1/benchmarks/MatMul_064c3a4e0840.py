"""MatMul alone: `python MatMul_064c3a4e0840.py [--threads N] [--json]`.

Benchmark 064c3a4e08406466ed4955b7825d4205ef2b6772fc93a3726f09bfc0a5a7b470,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('064c3a4e08406466ed4955b7825d4205ef2b6772fc93a3726f09bfc0a5a7b470', SUITE, sys.argv[1:]))
