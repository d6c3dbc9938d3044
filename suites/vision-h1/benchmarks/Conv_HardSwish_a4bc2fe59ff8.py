"""Conv_HardSwish alone: `python Conv_HardSwish_a4bc2fe59ff8.py [--threads N] [--json]`.

Benchmark a4bc2fe59ff8320a8ce3c6a67031dfea494a4093c61d46e96ab3d90276c67330,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a4bc2fe59ff8320a8ce3c6a67031dfea494a4093c61d46e96ab3d90276c67330', SUITE, sys.argv[1:]))
