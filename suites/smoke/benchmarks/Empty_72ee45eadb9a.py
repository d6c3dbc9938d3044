"""Empty alone: `python Empty_72ee45eadb9a.py [--threads N] [--json]`.

Benchmark 72ee45eadb9ac29ceab015e09444e9fd461b8e3f93045a9c5e866d6aedcffda4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('72ee45eadb9ac29ceab015e09444e9fd461b8e3f93045a9c5e866d6aedcffda4', SUITE, sys.argv[1:]))
