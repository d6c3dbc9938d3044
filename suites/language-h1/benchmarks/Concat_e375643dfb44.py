"""Concat alone: `python Concat_e375643dfb44.py [--threads N] [--json]`.

Benchmark e375643dfb447a57fff7d21f03c1e09dd506be94020b342d420fcf6fb0e52958,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e375643dfb447a57fff7d21f03c1e09dd506be94020b342d420fcf6fb0e52958', SUITE, sys.argv[1:]))
