"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_e2523b4ca043.py [--threads N] [--json]`.

Benchmark e2523b4ca043b4ba16a7cd4ddf594d4e08b498dc646991b741b8161f984ca7fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e2523b4ca043b4ba16a7cd4ddf594d4e08b498dc646991b741b8161f984ca7fe', SUITE, sys.argv[1:]))
