"""ReduceMean alone: `python ReduceMean_f09cd7f90a49.py [--threads N] [--json]`.

Benchmark f09cd7f90a495592af9b8d090cdf63037f0e2fb7ad19f5bc6292de0ab0c2011e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f09cd7f90a495592af9b8d090cdf63037f0e2fb7ad19f5bc6292de0ab0c2011e', SUITE, sys.argv[1:]))
