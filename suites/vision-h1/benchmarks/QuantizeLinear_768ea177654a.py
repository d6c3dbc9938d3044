"""QuantizeLinear alone: `python QuantizeLinear_768ea177654a.py [--threads N] [--json]`.

Benchmark 768ea177654abbb0b1f158e7d61a361c38f2e56cacf5cbb42683fd326845f42b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('768ea177654abbb0b1f158e7d61a361c38f2e56cacf5cbb42683fd326845f42b', SUITE, sys.argv[1:]))
