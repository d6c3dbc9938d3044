"""Concat alone: `python Concat_97769119a326.py [--threads N] [--json]`.

Benchmark 97769119a326c2e905fdff2637298e0b701531cf7e9aa76d2631a611b12bb13d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('97769119a326c2e905fdff2637298e0b701531cf7e9aa76d2631a611b12bb13d', SUITE, sys.argv[1:]))
