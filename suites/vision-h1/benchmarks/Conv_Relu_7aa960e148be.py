"""Conv_Relu alone: `python Conv_Relu_7aa960e148be.py [--threads N] [--json]`.

Benchmark 7aa960e148be80254fcc93bfe3fe4f52d966431e769dff9c0a6bbce68a4f968c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7aa960e148be80254fcc93bfe3fe4f52d966431e769dff9c0a6bbce68a4f968c', SUITE, sys.argv[1:]))
