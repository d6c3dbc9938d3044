"""Conv_Relu alone: `python Conv_Relu_6ee32e082e94.py [--threads N] [--json]`.

Benchmark 6ee32e082e9445dbca023dd4d6c35fdc64119921c23ac7b7b9b852af0957eac3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ee32e082e9445dbca023dd4d6c35fdc64119921c23ac7b7b9b852af0957eac3', SUITE, sys.argv[1:]))
