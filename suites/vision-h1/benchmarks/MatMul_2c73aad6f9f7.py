"""MatMul alone: `python MatMul_2c73aad6f9f7.py [--threads N] [--json]`.

Benchmark 2c73aad6f9f70c009cd1501a9f9af29893a68fdb822cd62b710204358d6b1930,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2c73aad6f9f70c009cd1501a9f9af29893a68fdb822cd62b710204358d6b1930', SUITE, sys.argv[1:]))
