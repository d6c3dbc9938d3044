"""Concat alone: `python Concat_d24e4f3c15a9.py [--threads N] [--json]`.

Benchmark d24e4f3c15a91abf5ccc756a3b237b7bf3e1ef8c9d76c3b858374643b353bd83,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d24e4f3c15a91abf5ccc756a3b237b7bf3e1ef8c9d76c3b858374643b353bd83', SUITE, sys.argv[1:]))
