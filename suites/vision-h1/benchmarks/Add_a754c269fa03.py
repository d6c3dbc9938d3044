"""Add alone: `python Add_a754c269fa03.py [--threads N] [--json]`.

Benchmark a754c269fa032daf8c6a6d32a3e77195513cac573148a89e5349310d61fdfa95,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a754c269fa032daf8c6a6d32a3e77195513cac573148a89e5349310d61fdfa95', SUITE, sys.argv[1:]))
