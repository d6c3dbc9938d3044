"""ReduceMean alone: `python ReduceMean_de9065acd239.py [--threads N] [--json]`.

Benchmark de9065acd2393a317c8eba6cae46f1d49b708dd1c31d4e50767fe33e19df58d2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('de9065acd2393a317c8eba6cae46f1d49b708dd1c31d4e50767fe33e19df58d2', SUITE, sys.argv[1:]))
