"""InstanceNormalization alone: `python InstanceNormalization_c6e9aa30c5af.py [--threads N] [--json]`.

Benchmark c6e9aa30c5af47bdc6ed6261ff9d205eb90b178ee0d11df84ed6ebb22e726d3e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c6e9aa30c5af47bdc6ed6261ff9d205eb90b178ee0d11df84ed6ebb22e726d3e', SUITE, sys.argv[1:]))
