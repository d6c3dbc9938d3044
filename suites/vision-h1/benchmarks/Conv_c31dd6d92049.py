"""Conv alone: `python Conv_c31dd6d92049.py [--threads N] [--json]`.

Benchmark c31dd6d920499294bea43d4862f943a08b28f87f28cf128340f4729c7c2e2e50,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c31dd6d920499294bea43d4862f943a08b28f87f28cf128340f4729c7c2e2e50', SUITE, sys.argv[1:]))
