"""LayerNormalization alone: `python LayerNormalization_c8715aba3705.py [--threads N] [--json]`.

Benchmark c8715aba37055bfceed15914b6cf0c2246840b980d5d4e0807cc1380ef3fe411,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c8715aba37055bfceed15914b6cf0c2246840b980d5d4e0807cc1380ef3fe411', SUITE, sys.argv[1:]))
