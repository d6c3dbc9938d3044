"""Conv alone: `python Conv_7e3e83c59006.py [--threads N] [--json]`.

Benchmark 7e3e83c590067b56dab83bc425e3edd0218c5f385bcb82d2ffb80308c9c7f01c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7e3e83c590067b56dab83bc425e3edd0218c5f385bcb82d2ffb80308c9c7f01c', SUITE, sys.argv[1:]))
