"""Conv_HardSwish alone: `python Conv_HardSwish_a40ea994bfd9.py [--threads N] [--json]`.

Benchmark a40ea994bfd9ff16078025d79035716a84e0cfb00488d5fa85f15a1e280a2432,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a40ea994bfd9ff16078025d79035716a84e0cfb00488d5fa85f15a1e280a2432', SUITE, sys.argv[1:]))
