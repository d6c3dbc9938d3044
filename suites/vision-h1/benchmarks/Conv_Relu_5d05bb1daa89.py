"""Conv_Relu alone: `python Conv_Relu_5d05bb1daa89.py [--threads N] [--json]`.

Benchmark 5d05bb1daa890706546c0eba079fe508a1490a97bee0b7fef0fa5cfc768322b3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d05bb1daa890706546c0eba079fe508a1490a97bee0b7fef0fa5cfc768322b3', SUITE, sys.argv[1:]))
