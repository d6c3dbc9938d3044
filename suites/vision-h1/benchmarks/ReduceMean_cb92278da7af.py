"""ReduceMean alone: `python ReduceMean_cb92278da7af.py [--threads N] [--json]`.

Benchmark cb92278da7af209e9ee4d21858b4d94fc8adc4e441dc2dafbd69979bf862e42f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cb92278da7af209e9ee4d21858b4d94fc8adc4e441dc2dafbd69979bf862e42f', SUITE, sys.argv[1:]))
