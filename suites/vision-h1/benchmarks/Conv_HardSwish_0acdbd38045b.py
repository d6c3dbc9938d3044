"""Conv_HardSwish alone: `python Conv_HardSwish_0acdbd38045b.py [--threads N] [--json]`.

Benchmark 0acdbd38045bc9cd04354642ffa4e1b5b06c0d641072e599fa26013a15e2ff1f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0acdbd38045bc9cd04354642ffa4e1b5b06c0d641072e599fa26013a15e2ff1f', SUITE, sys.argv[1:]))
