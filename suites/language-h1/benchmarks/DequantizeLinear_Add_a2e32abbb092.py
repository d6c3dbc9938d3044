"""DequantizeLinear_Add alone: `python DequantizeLinear_Add_a2e32abbb092.py [--threads N] [--json]`.

Benchmark a2e32abbb092eaa4ce34aa2fa41033d1ee6baf76697ad48845ba99f6e7ec2769,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a2e32abbb092eaa4ce34aa2fa41033d1ee6baf76697ad48845ba99f6e7ec2769', SUITE, sys.argv[1:]))
