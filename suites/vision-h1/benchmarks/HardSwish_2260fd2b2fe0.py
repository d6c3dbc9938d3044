"""HardSwish alone: `python HardSwish_2260fd2b2fe0.py [--threads N] [--json]`.

Benchmark 2260fd2b2fe078aa766fcc42afe651570bd6e1138337e33daef2cea8f2009206,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2260fd2b2fe078aa766fcc42afe651570bd6e1138337e33daef2cea8f2009206', SUITE, sys.argv[1:]))
