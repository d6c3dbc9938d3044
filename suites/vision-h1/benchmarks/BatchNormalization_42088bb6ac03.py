"""BatchNormalization alone: `python BatchNormalization_42088bb6ac03.py [--threads N] [--json]`.

Benchmark 42088bb6ac0372339c1867f4da5a0e06f356a43c919c6aa9c399b3de3cd60371,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('42088bb6ac0372339c1867f4da5a0e06f356a43c919c6aa9c399b3de3cd60371', SUITE, sys.argv[1:]))
