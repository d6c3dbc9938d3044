"""Conv alone: `python Conv_0c6af9d2efa3.py [--threads N] [--json]`.

Benchmark 0c6af9d2efa3b9f57c2cdd2057f8ca6eea8817a1ba9bfbd7eed509a89f467f85,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0c6af9d2efa3b9f57c2cdd2057f8ca6eea8817a1ba9bfbd7eed509a89f467f85', SUITE, sys.argv[1:]))
