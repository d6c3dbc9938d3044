"""Split alone: `python Split_73767b31ce51.py [--threads N] [--json]`.

Benchmark 73767b31ce510a13a2643e408209dd4211ad68f28949f6062c5652e0c5cd7817,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('73767b31ce510a13a2643e408209dd4211ad68f28949f6062c5652e0c5cd7817', SUITE, sys.argv[1:]))
