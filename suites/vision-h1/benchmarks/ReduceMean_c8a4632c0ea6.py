"""ReduceMean alone: `python ReduceMean_c8a4632c0ea6.py [--threads N] [--json]`.

Benchmark c8a4632c0ea62dd824348c995c339354d3b6de2d7eb0b1b403a9b6fa8d1f04f6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c8a4632c0ea62dd824348c995c339354d3b6de2d7eb0b1b403a9b6fa8d1f04f6', SUITE, sys.argv[1:]))
