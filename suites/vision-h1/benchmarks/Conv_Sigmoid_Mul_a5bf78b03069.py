"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_a5bf78b03069.py [--threads N] [--json]`.

Benchmark a5bf78b0306901c796375dd82c3bbb3bfe40124df2674d4e1356c3882ccc993f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a5bf78b0306901c796375dd82c3bbb3bfe40124df2674d4e1356c3882ccc993f', SUITE, sys.argv[1:]))
