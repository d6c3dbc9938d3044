"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_ea7559fabc53.py [--threads N] [--json]`.

Benchmark ea7559fabc53f9cb189fb4c227ea55407abc2e1336c18d3d03af7d32bfdc0faa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea7559fabc53f9cb189fb4c227ea55407abc2e1336c18d3d03af7d32bfdc0faa', SUITE, sys.argv[1:]))
