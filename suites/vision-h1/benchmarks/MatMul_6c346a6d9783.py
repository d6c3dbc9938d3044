"""MatMul alone: `python MatMul_6c346a6d9783.py [--threads N] [--json]`.

Benchmark 6c346a6d9783c268a3a0462cae6af6d8dd3131d7da66d299a06bfa86843477a6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c346a6d9783c268a3a0462cae6af6d8dd3131d7da66d299a06bfa86843477a6', SUITE, sys.argv[1:]))
