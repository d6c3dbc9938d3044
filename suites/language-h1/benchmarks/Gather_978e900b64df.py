"""Gather alone: `python Gather_978e900b64df.py [--threads N] [--json]`.

Benchmark 978e900b64df6f597f1a61c6db16ce1e27cb1fc8eeb144c57a9ce2edd49f286a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('978e900b64df6f597f1a61c6db16ce1e27cb1fc8eeb144c57a9ce2edd49f286a', SUITE, sys.argv[1:]))
