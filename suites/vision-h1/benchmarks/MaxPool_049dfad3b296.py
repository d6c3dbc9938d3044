"""MaxPool alone: `python MaxPool_049dfad3b296.py [--threads N] [--json]`.

Benchmark 049dfad3b296bd8fd9349e1c5998a66886c4c7537876b85db8af3cca42e1abe7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('049dfad3b296bd8fd9349e1c5998a66886c4c7537876b85db8af3cca42e1abe7', SUITE, sys.argv[1:]))
