"""LayerNormalization alone: `python LayerNormalization_a03ab4801d74.py [--threads N] [--json]`.

Benchmark a03ab4801d74655f81f7ca66da83c6bb13d0de73a1dd666a15508d21355d1131,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a03ab4801d74655f81f7ca66da83c6bb13d0de73a1dd666a15508d21355d1131', SUITE, sys.argv[1:]))
