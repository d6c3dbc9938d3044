"""MatMul_Add alone: `python MatMul_Add_3a155e209c4f.py [--threads N] [--json]`.

Benchmark 3a155e209c4f8a41b80aefade17071140d20d8f4df19ec58499973d21ff07285,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3a155e209c4f8a41b80aefade17071140d20d8f4df19ec58499973d21ff07285', SUITE, sys.argv[1:]))
