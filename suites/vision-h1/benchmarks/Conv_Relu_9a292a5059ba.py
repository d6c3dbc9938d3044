"""Conv_Relu alone: `python Conv_Relu_9a292a5059ba.py [--threads N] [--json]`.

Benchmark 9a292a5059ba8ae9244ad4a802e57545d000499ca835e80b64cf879982a01a63,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9a292a5059ba8ae9244ad4a802e57545d000499ca835e80b64cf879982a01a63', SUITE, sys.argv[1:]))
