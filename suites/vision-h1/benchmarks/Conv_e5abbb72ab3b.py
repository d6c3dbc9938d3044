"""Conv alone: `python Conv_e5abbb72ab3b.py [--threads N] [--json]`.

Benchmark e5abbb72ab3bcc7e6d2cf3cd23d90ebdeb2c5b061e7451eaaee1ae6ab14be585,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e5abbb72ab3bcc7e6d2cf3cd23d90ebdeb2c5b061e7451eaaee1ae6ab14be585', SUITE, sys.argv[1:]))
