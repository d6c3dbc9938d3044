"""Sub alone: `python Sub_5182db23e566.py [--threads N] [--json]`.

Benchmark 5182db23e566b3180648caadd99cf371906c191e01d641cd367baebdde001181,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5182db23e566b3180648caadd99cf371906c191e01d641cd367baebdde001181', SUITE, sys.argv[1:]))
