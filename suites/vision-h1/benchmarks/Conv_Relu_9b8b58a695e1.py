"""Conv_Relu alone: `python Conv_Relu_9b8b58a695e1.py [--threads N] [--json]`.

Benchmark 9b8b58a695e19396dcdf259ebc66ed99cd5abbe05bb882b9befa02bc1c51af10,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b8b58a695e19396dcdf259ebc66ed99cd5abbe05bb882b9befa02bc1c51af10', SUITE, sys.argv[1:]))
