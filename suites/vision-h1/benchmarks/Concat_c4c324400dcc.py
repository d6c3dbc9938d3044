"""Concat alone: `python Concat_c4c324400dcc.py [--threads N] [--json]`.

Benchmark c4c324400dcc702f8a48e6e9a59c65b0adc3e0beea918b5f6a4edbff2fb6a0cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c4c324400dcc702f8a48e6e9a59c65b0adc3e0beea918b5f6a4edbff2fb6a0cf', SUITE, sys.argv[1:]))
