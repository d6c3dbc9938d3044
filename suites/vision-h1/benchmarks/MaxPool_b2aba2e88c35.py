"""MaxPool alone: `python MaxPool_b2aba2e88c35.py [--threads N] [--json]`.

Benchmark b2aba2e88c35e5880c83d72cd7024682110d21fb21f6b5452506c7636a6f0549,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b2aba2e88c35e5880c83d72cd7024682110d21fb21f6b5452506c7636a6f0549', SUITE, sys.argv[1:]))
