"""MatMul_Add alone: `python MatMul_Add_4a2977435843.py [--threads N] [--json]`.

Benchmark 4a29774358431c8fa1fb002266055cf3851f1c348f950b4a5a938a911d14e5ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4a29774358431c8fa1fb002266055cf3851f1c348f950b4a5a938a911d14e5ca', SUITE, sys.argv[1:]))
