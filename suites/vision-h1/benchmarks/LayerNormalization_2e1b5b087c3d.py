"""LayerNormalization alone: `python LayerNormalization_2e1b5b087c3d.py [--threads N] [--json]`.

Benchmark 2e1b5b087c3d3d5235c48732e5ebbc95b21f9ce31144398ec1b6fd504eb69de7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2e1b5b087c3d3d5235c48732e5ebbc95b21f9ce31144398ec1b6fd504eb69de7', SUITE, sys.argv[1:]))
