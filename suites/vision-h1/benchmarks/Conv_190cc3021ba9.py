"""Conv alone: `python Conv_190cc3021ba9.py [--threads N] [--json]`.

Benchmark 190cc3021ba901da8f5cc13aae9370237f3f092f48f7a17df0505a5038beeb9a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('190cc3021ba901da8f5cc13aae9370237f3f092f48f7a17df0505a5038beeb9a', SUITE, sys.argv[1:]))
