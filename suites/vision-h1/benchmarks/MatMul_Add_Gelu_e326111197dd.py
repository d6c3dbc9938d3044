"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_e326111197dd.py [--threads N] [--json]`.

Benchmark e326111197dd95df0f29f6d7aa60f18be0cff3e197bc3b9b5cb79a9d8ea89673,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e326111197dd95df0f29f6d7aa60f18be0cff3e197bc3b9b5cb79a9d8ea89673', SUITE, sys.argv[1:]))
