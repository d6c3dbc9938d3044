"""LayerNormalization alone: `python LayerNormalization_70ed6cada6cc.py [--threads N] [--json]`.

Benchmark 70ed6cada6cc6465afc055b7142bcfea290c3f4a5b2ed68dd7c6c42b2c610603,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('70ed6cada6cc6465afc055b7142bcfea290c3f4a5b2ed68dd7c6c42b2c610603', SUITE, sys.argv[1:]))
