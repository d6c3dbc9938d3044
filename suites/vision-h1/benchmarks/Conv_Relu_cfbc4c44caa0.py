"""Conv_Relu alone: `python Conv_Relu_cfbc4c44caa0.py [--threads N] [--json]`.

Benchmark cfbc4c44caa08841414277fac3525a12475811ea69a71344c0af84bbb48012b4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cfbc4c44caa08841414277fac3525a12475811ea69a71344c0af84bbb48012b4', SUITE, sys.argv[1:]))
