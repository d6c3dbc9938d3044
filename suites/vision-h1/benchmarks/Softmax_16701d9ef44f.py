"""Softmax alone: `python Softmax_16701d9ef44f.py [--threads N] [--json]`.

Benchmark 16701d9ef44feeba9888d959cdf0f0171b8ae26fb225da58ddc958149ae2382a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('16701d9ef44feeba9888d959cdf0f0171b8ae26fb225da58ddc958149ae2382a', SUITE, sys.argv[1:]))
