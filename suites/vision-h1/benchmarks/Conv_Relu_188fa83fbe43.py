"""Conv_Relu alone: `python Conv_Relu_188fa83fbe43.py [--threads N] [--json]`.

Benchmark 188fa83fbe43c554de3ab44d86cc01a854d6981500cf1a478175c7bad8838e4f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('188fa83fbe43c554de3ab44d86cc01a854d6981500cf1a478175c7bad8838e4f', SUITE, sys.argv[1:]))
