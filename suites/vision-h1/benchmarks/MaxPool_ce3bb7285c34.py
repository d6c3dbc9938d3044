"""MaxPool alone: `python MaxPool_ce3bb7285c34.py [--threads N] [--json]`.

Benchmark ce3bb7285c34ba3c3421d304071c9109e909aae22f5aa2854674e8ee60625b67,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce3bb7285c34ba3c3421d304071c9109e909aae22f5aa2854674e8ee60625b67', SUITE, sys.argv[1:]))
