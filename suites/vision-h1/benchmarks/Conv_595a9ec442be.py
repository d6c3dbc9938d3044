"""Conv alone: `python Conv_595a9ec442be.py [--threads N] [--json]`.

Benchmark 595a9ec442beddd9a087c42e294b78c79f3d888b12c5d823ec8012bfe51af4ab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('595a9ec442beddd9a087c42e294b78c79f3d888b12c5d823ec8012bfe51af4ab', SUITE, sys.argv[1:]))
