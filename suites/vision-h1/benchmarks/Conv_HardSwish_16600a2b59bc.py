"""Conv_HardSwish alone: `python Conv_HardSwish_16600a2b59bc.py [--threads N] [--json]`.

Benchmark 16600a2b59bc02c0fffc4b865733b1aa9b20411438e07b91441324351f481df5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('16600a2b59bc02c0fffc4b865733b1aa9b20411438e07b91441324351f481df5', SUITE, sys.argv[1:]))
