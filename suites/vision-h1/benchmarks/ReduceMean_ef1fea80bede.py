"""ReduceMean alone: `python ReduceMean_ef1fea80bede.py [--threads N] [--json]`.

Benchmark ef1fea80bede7a8982ad782b7e29a1181e76e33fc72cd4981fd61ae84009ace3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ef1fea80bede7a8982ad782b7e29a1181e76e33fc72cd4981fd61ae84009ace3', SUITE, sys.argv[1:]))
