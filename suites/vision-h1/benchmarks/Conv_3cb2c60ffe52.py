"""Conv alone: `python Conv_3cb2c60ffe52.py [--threads N] [--json]`.

Benchmark 3cb2c60ffe52e9c8cf27a5b9849f6911befbab2af4af6a438672e7902014f0dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3cb2c60ffe52e9c8cf27a5b9849f6911befbab2af4af6a438672e7902014f0dc', SUITE, sys.argv[1:]))
