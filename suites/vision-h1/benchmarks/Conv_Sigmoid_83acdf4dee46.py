"""Conv_Sigmoid alone: `python Conv_Sigmoid_83acdf4dee46.py [--threads N] [--json]`.

Benchmark 83acdf4dee46f961f9e9cd097effaddb7441b9ac006c6b0840babfae4446c504,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('83acdf4dee46f961f9e9cd097effaddb7441b9ac006c6b0840babfae4446c504', SUITE, sys.argv[1:]))
