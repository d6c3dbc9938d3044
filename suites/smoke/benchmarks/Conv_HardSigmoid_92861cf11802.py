"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_92861cf11802.py [--threads N] [--json]`.

Benchmark 92861cf11802d2b03e18581aff763e1d96b8455c6e309fee46f1d5f36560f265,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('92861cf11802d2b03e18581aff763e1d96b8455c6e309fee46f1d5f36560f265', SUITE, sys.argv[1:]))
