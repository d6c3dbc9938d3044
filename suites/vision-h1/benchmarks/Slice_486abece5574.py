"""Slice alone: `python Slice_486abece5574.py [--threads N] [--json]`.

Benchmark 486abece5574f80cdd9427268db2467748754f9f38e283be68ded18c952f28f1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('486abece5574f80cdd9427268db2467748754f9f38e283be68ded18c952f28f1', SUITE, sys.argv[1:]))
