"""Conv alone: `python Conv_25e0ea842abe.py [--threads N] [--json]`.

Benchmark 25e0ea842abe35ac1a42a35c7bee14a5477816bec0f7fb7dfbd7637e670e62f4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('25e0ea842abe35ac1a42a35c7bee14a5477816bec0f7fb7dfbd7637e670e62f4', SUITE, sys.argv[1:]))
