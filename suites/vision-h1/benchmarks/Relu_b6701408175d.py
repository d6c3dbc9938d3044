"""Relu alone: `python Relu_b6701408175d.py [--threads N] [--json]`.

Benchmark b6701408175d92b79a5eaaec69b9d843c82172ec4564c680395c2fddcf0a8217,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b6701408175d92b79a5eaaec69b9d843c82172ec4564c680395c2fddcf0a8217', SUITE, sys.argv[1:]))
