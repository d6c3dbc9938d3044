"""Conv alone: `python Conv_4a41e261b5b1.py [--threads N] [--json]`.

Benchmark 4a41e261b5b1abd0a28ed52aa8e1459ffb169fd5fba3a22cd48e73dd3803aa7a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4a41e261b5b1abd0a28ed52aa8e1459ffb169fd5fba3a22cd48e73dd3803aa7a', SUITE, sys.argv[1:]))
