"""Concat alone: `python Concat_040e5f3099eb.py [--threads N] [--json]`.

Benchmark 040e5f3099eba8997933ff7aadde20a7490670715cecb268f97651a3f875a251,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('040e5f3099eba8997933ff7aadde20a7490670715cecb268f97651a3f875a251', SUITE, sys.argv[1:]))
