"""Conv alone: `python Conv_afddce2eded0.py [--threads N] [--json]`.

Benchmark afddce2eded09256d5ce52ccaae347709cb888f5184f926351db019dc25b144c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('afddce2eded09256d5ce52ccaae347709cb888f5184f926351db019dc25b144c', SUITE, sys.argv[1:]))
