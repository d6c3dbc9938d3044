"""Conv_Add alone: `python Conv_Add_929cf1b3580a.py [--threads N] [--json]`.

Benchmark 929cf1b3580a92532d942561c99505242dde4bf193edd3323eecd5f6ed2f64f0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('929cf1b3580a92532d942561c99505242dde4bf193edd3323eecd5f6ed2f64f0', SUITE, sys.argv[1:]))
