"""Add alone: `python Add_7e8eb8257b3b.py [--threads N] [--json]`.

Benchmark 7e8eb8257b3b8de617a77f663d19eacf3cc7e83af4816c6fb7ac22fdd57d9530,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7e8eb8257b3b8de617a77f663d19eacf3cc7e83af4816c6fb7ac22fdd57d9530', SUITE, sys.argv[1:]))
