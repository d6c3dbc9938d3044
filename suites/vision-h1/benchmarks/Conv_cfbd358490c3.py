"""Conv alone: `python Conv_cfbd358490c3.py [--threads N] [--json]`.

Benchmark cfbd358490c32ff7b8b2c8131f3a6ccf9a8f8f16a828194d43059bd0d7f48657,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cfbd358490c32ff7b8b2c8131f3a6ccf9a8f8f16a828194d43059bd0d7f48657', SUITE, sys.argv[1:]))
