"""ReduceMean alone: `python ReduceMean_26295cf75681.py [--threads N] [--json]`.

Benchmark 26295cf75681bde442376a0ea3bde5bfb874906a4297b35ae218bb93b85c670b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('26295cf75681bde442376a0ea3bde5bfb874906a4297b35ae218bb93b85c670b', SUITE, sys.argv[1:]))
