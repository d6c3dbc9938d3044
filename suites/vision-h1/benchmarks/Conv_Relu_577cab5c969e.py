"""Conv_Relu alone: `python Conv_Relu_577cab5c969e.py [--threads N] [--json]`.

Benchmark 577cab5c969ee3b93ad16f89dc3fe25fed954e842cbb94fe1c4a502063e91e25,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('577cab5c969ee3b93ad16f89dc3fe25fed954e842cbb94fe1c4a502063e91e25', SUITE, sys.argv[1:]))
