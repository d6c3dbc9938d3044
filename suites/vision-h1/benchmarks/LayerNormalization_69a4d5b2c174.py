"""LayerNormalization alone: `python LayerNormalization_69a4d5b2c174.py [--threads N] [--json]`.

Benchmark 69a4d5b2c174c81c7efef365ca479708c4fe17d90b2848af731aa2caa90fb9ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('69a4d5b2c174c81c7efef365ca479708c4fe17d90b2848af731aa2caa90fb9ca', SUITE, sys.argv[1:]))
