"""MaxPool alone: `python MaxPool_925b20caf7a9.py [--threads N] [--json]`.

Benchmark 925b20caf7a992084d9fd498909848fdeec427467568cead441fb5289cabd6fa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('925b20caf7a992084d9fd498909848fdeec427467568cead441fb5289cabd6fa', SUITE, sys.argv[1:]))
