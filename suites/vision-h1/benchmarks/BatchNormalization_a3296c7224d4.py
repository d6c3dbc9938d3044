"""BatchNormalization alone: `python BatchNormalization_a3296c7224d4.py [--threads N] [--json]`.

Benchmark a3296c7224d40048654e0b42b253783bcc91d90d0fc2e532920ccc4f6a49ba3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3296c7224d40048654e0b42b253783bcc91d90d0fc2e532920ccc4f6a49ba3c', SUITE, sys.argv[1:]))
