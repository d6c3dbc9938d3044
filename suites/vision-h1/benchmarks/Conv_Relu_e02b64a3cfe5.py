"""Conv_Relu alone: `python Conv_Relu_e02b64a3cfe5.py [--threads N] [--json]`.

Benchmark e02b64a3cfe5027bd9704c5130e8249f052796ccdc691854bedff40bf758dcaa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e02b64a3cfe5027bd9704c5130e8249f052796ccdc691854bedff40bf758dcaa', SUITE, sys.argv[1:]))
