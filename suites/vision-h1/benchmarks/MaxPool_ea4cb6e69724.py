"""MaxPool alone: `python MaxPool_ea4cb6e69724.py [--threads N] [--json]`.

Benchmark ea4cb6e69724b7d31d3900cbb920a2e581ea61e7e9a595c6356dfa803506a7c3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea4cb6e69724b7d31d3900cbb920a2e581ea61e7e9a595c6356dfa803506a7c3', SUITE, sys.argv[1:]))
