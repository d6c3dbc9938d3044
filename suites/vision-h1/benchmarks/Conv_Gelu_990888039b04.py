"""Conv_Gelu alone: `python Conv_Gelu_990888039b04.py [--threads N] [--json]`.

Benchmark 990888039b0471b1b912698630990cdddf6dbcc2b0f183a94aaf20e451fee995,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('990888039b0471b1b912698630990cdddf6dbcc2b0f183a94aaf20e451fee995', SUITE, sys.argv[1:]))
