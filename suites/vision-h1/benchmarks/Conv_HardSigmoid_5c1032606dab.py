"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_5c1032606dab.py [--threads N] [--json]`.

Benchmark 5c1032606dab9b58fc098fea5d9ae0386c23b519196d686ed0c823bafd27e2ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5c1032606dab9b58fc098fea5d9ae0386c23b519196d686ed0c823bafd27e2ca', SUITE, sys.argv[1:]))
