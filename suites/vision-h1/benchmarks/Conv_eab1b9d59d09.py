"""Conv alone: `python Conv_eab1b9d59d09.py [--threads N] [--json]`.

Benchmark eab1b9d59d0998bd9d82e08d2be7d943941e98858649e88785ca00133e46e5ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eab1b9d59d0998bd9d82e08d2be7d943941e98858649e88785ca00133e46e5ca', SUITE, sys.argv[1:]))
