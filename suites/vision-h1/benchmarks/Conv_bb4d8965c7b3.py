"""Conv alone: `python Conv_bb4d8965c7b3.py [--threads N] [--json]`.

Benchmark bb4d8965c7b316dee42ef20daa45b1a20e6a77ecd15141ddd02c77c7a1a2ac10,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bb4d8965c7b316dee42ef20daa45b1a20e6a77ecd15141ddd02c77c7a1a2ac10', SUITE, sys.argv[1:]))
