"""LayerNormalization alone: `python LayerNormalization_09ee3be93077.py [--threads N] [--json]`.

Benchmark 09ee3be93077f569b7ff249f1c026d9682b2f878244a3c5b9fac72a8b6d8dea7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('09ee3be93077f569b7ff249f1c026d9682b2f878244a3c5b9fac72a8b6d8dea7', SUITE, sys.argv[1:]))
