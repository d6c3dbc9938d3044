"""LayerNormalization alone: `python LayerNormalization_2f2b94bac961.py [--threads N] [--json]`.

Benchmark 2f2b94bac9611c3bc53503e50417736ceec60106ee37446a4dd613b6a5b00bdf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2f2b94bac9611c3bc53503e50417736ceec60106ee37446a4dd613b6a5b00bdf', SUITE, sys.argv[1:]))
