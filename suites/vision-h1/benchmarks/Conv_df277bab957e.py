"""Conv alone: `python Conv_df277bab957e.py [--threads N] [--json]`.

Benchmark df277bab957e5a0e2ad593caae32c179b7ccb30bdb75379664a0c4e4e9efea25,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('df277bab957e5a0e2ad593caae32c179b7ccb30bdb75379664a0c4e4e9efea25', SUITE, sys.argv[1:]))
