"""Conv alone: `python Conv_22d0db667291.py [--threads N] [--json]`.

Benchmark 22d0db667291a675264ce80a4c57b5cbf6862a8dcf04935db730444995456d85,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('22d0db667291a675264ce80a4c57b5cbf6862a8dcf04935db730444995456d85', SUITE, sys.argv[1:]))
