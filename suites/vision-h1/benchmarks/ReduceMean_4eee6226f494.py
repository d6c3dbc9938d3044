"""ReduceMean alone: `python ReduceMean_4eee6226f494.py [--threads N] [--json]`.

Benchmark 4eee6226f49420c867a905ab2b8a673106f0c0ce27f3c506976ca0bf908ae387,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4eee6226f49420c867a905ab2b8a673106f0c0ce27f3c506976ca0bf908ae387', SUITE, sys.argv[1:]))
