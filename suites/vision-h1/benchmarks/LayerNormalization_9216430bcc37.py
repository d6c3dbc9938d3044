"""LayerNormalization alone: `python LayerNormalization_9216430bcc37.py [--threads N] [--json]`.

Benchmark 9216430bcc372bb05f6ead5780a5dc6b91e812be0413b7df9df37c0ed2fa9de4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9216430bcc372bb05f6ead5780a5dc6b91e812be0413b7df9df37c0ed2fa9de4', SUITE, sys.argv[1:]))
