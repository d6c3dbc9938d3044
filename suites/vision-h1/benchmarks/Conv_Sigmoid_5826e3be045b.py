"""Conv_Sigmoid alone: `python Conv_Sigmoid_5826e3be045b.py [--threads N] [--json]`.

Benchmark 5826e3be045b31f7386311228f41416e1dac871d57a248d9538b1dcc3820384a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5826e3be045b31f7386311228f41416e1dac871d57a248d9538b1dcc3820384a', SUITE, sys.argv[1:]))
