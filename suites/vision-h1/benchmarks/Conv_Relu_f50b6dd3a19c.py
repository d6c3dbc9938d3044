"""Conv_Relu alone: `python Conv_Relu_f50b6dd3a19c.py [--threads N] [--json]`.

Benchmark f50b6dd3a19c7b03590cb8e8a4a589a2c1c6ad348f5d6e18cd78f1ebdc82ef7a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f50b6dd3a19c7b03590cb8e8a4a589a2c1c6ad348f5d6e18cd78f1ebdc82ef7a', SUITE, sys.argv[1:]))
