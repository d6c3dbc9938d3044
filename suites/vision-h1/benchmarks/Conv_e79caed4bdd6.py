"""Conv alone: `python Conv_e79caed4bdd6.py [--threads N] [--json]`.

Benchmark e79caed4bdd623eef6f6ca10e87a45c9e6d788d2dc092d68768de17310448ff8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e79caed4bdd623eef6f6ca10e87a45c9e6d788d2dc092d68768de17310448ff8', SUITE, sys.argv[1:]))
