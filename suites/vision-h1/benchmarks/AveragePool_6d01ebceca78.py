"""AveragePool alone: `python AveragePool_6d01ebceca78.py [--threads N] [--json]`.

Benchmark 6d01ebceca788270ab950b0ce9acf500c0e479424da6ae4f720dc37b3ef08b47,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d01ebceca788270ab950b0ce9acf500c0e479424da6ae4f720dc37b3ef08b47', SUITE, sys.argv[1:]))
