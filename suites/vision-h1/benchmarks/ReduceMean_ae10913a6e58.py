"""ReduceMean alone: `python ReduceMean_ae10913a6e58.py [--threads N] [--json]`.

Benchmark ae10913a6e58b15bb038118765be945e0910e9bb88bd0d8327968621dd57e197,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae10913a6e58b15bb038118765be945e0910e9bb88bd0d8327968621dd57e197', SUITE, sys.argv[1:]))
