"""Conv_Relu alone: `python Conv_Relu_9d66d529703a.py [--threads N] [--json]`.

Benchmark 9d66d529703ad576965af9414bf4e7d30cd201c7861f12f7248f805303d88892,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9d66d529703ad576965af9414bf4e7d30cd201c7861f12f7248f805303d88892', SUITE, sys.argv[1:]))
