"""LayerNormalization alone: `python LayerNormalization_18d2cd883589.py [--threads N] [--json]`.

Benchmark 18d2cd8835892157d8de2ffdf59fe17b130def5f3f2a00b8d8553077af3d1735,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('18d2cd8835892157d8de2ffdf59fe17b130def5f3f2a00b8d8553077af3d1735', SUITE, sys.argv[1:]))
