"""Concat alone: `python Concat_4877ba3bab80.py [--threads N] [--json]`.

Benchmark 4877ba3bab80e0b011b6e515c78625f588ba8e4d30dc59d70b314141ab254327,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4877ba3bab80e0b011b6e515c78625f588ba8e4d30dc59d70b314141ab254327', SUITE, sys.argv[1:]))
