"""Conv_HardSwish alone: `python Conv_HardSwish_142a4faefb79.py [--threads N] [--json]`.

Benchmark 142a4faefb798ec1872921b20c92ed19514d35d8d69764dbb5745b360c5c0a0d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('142a4faefb798ec1872921b20c92ed19514d35d8d69764dbb5745b360c5c0a0d', SUITE, sys.argv[1:]))
