"""Relu alone: `python Relu_b8c181a8c171.py [--threads N] [--json]`.

Benchmark b8c181a8c1712c3fad1df86b711e9b2c3fc8766818939870419e14d30894fe49,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b8c181a8c1712c3fad1df86b711e9b2c3fc8766818939870419e14d30894fe49', SUITE, sys.argv[1:]))
