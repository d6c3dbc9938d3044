"""Conv alone: `python Conv_67ffe0de3598.py [--threads N] [--json]`.

Benchmark 67ffe0de3598278237954b893d76aaca35c12ad608d138606b852fc659c9ff98,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('67ffe0de3598278237954b893d76aaca35c12ad608d138606b852fc659c9ff98', SUITE, sys.argv[1:]))
