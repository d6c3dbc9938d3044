"""Conv_Relu alone: `python Conv_Relu_0123456789ab.py [--threads N] [--json]`.

Benchmark 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,
made by dlbricks 1.2.3. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import main  # noqa: E402  the harness lies beside this file

if __name__ == "__main__":
    sys.exit(main(SUITE, '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'))
