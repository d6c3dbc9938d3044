"""Conv alone: `python Conv_72f0fcdcd937.py [--threads N] [--json]`.

Benchmark 72f0fcdcd937d5ee8a9fafc83ec261adecc4ecddebeacaba9d7b0739142db0ba,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('72f0fcdcd937d5ee8a9fafc83ec261adecc4ecddebeacaba9d7b0739142db0ba', SUITE, sys.argv[1:]))
