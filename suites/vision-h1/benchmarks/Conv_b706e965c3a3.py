"""Conv alone: `python Conv_b706e965c3a3.py [--threads N] [--json]`.

Benchmark b706e965c3a3c05df8f909eca2c7fa131f105b84430ac6522f8b97d1c8956021,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b706e965c3a3c05df8f909eca2c7fa131f105b84430ac6522f8b97d1c8956021', SUITE, sys.argv[1:]))
