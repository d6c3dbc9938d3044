"""Concat alone: `python Concat_6af7ef4e0bc9.py [--threads N] [--json]`.

Benchmark 6af7ef4e0bc97e1e783ce9ed516cf3a53a3746dae915e83bd4b8de7b3d819389,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6af7ef4e0bc97e1e783ce9ed516cf3a53a3746dae915e83bd4b8de7b3d819389', SUITE, sys.argv[1:]))
