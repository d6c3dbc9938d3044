"""Resize alone: `python Resize_bef0cda3fd97.py [--threads N] [--json]`.

Benchmark bef0cda3fd97c86c3a1cbe9de24b1e5b005f5939d8e167208344801867120383,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bef0cda3fd97c86c3a1cbe9de24b1e5b005f5939d8e167208344801867120383', SUITE, sys.argv[1:]))
