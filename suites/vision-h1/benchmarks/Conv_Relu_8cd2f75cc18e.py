"""Conv_Relu alone: `python Conv_Relu_8cd2f75cc18e.py [--threads N] [--json]`.

Benchmark 8cd2f75cc18e9824647f5b6a40a58552ae504e4c3e898416b59d9453b272c372,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8cd2f75cc18e9824647f5b6a40a58552ae504e4c3e898416b59d9453b272c372', SUITE, sys.argv[1:]))
