"""Conv alone: `python Conv_73e9f0cb721d.py [--threads N] [--json]`.

Benchmark 73e9f0cb721da75621e1e0a4e69b5df35725df5c2c92d8e8cd45dbfa46e4027e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('73e9f0cb721da75621e1e0a4e69b5df35725df5c2c92d8e8cd45dbfa46e4027e', SUITE, sys.argv[1:]))
