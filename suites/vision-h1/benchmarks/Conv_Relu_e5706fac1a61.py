"""Conv_Relu alone: `python Conv_Relu_e5706fac1a61.py [--threads N] [--json]`.

Benchmark e5706fac1a6165bb5d55d81c540008d28e16965fb0c487f57753050450dcd030,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e5706fac1a6165bb5d55d81c540008d28e16965fb0c487f57753050450dcd030', SUITE, sys.argv[1:]))
