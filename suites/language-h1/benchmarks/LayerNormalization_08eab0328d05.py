"""LayerNormalization alone: `python LayerNormalization_08eab0328d05.py [--threads N] [--json]`.

Benchmark 08eab0328d059c5ec8244937bb7dceb9fb3d91359d7b2119432c4042d0766aa0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('08eab0328d059c5ec8244937bb7dceb9fb3d91359d7b2119432c4042d0766aa0', SUITE, sys.argv[1:]))
