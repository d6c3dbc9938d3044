"""LayerNormalization alone: `python LayerNormalization_85e62106714a.py [--threads N] [--json]`.

Benchmark 85e62106714abf8a4c4106a24a9f6da8cecec11a70ced4cf2be80c5e215fbfdc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85e62106714abf8a4c4106a24a9f6da8cecec11a70ced4cf2be80c5e215fbfdc', SUITE, sys.argv[1:]))
