"""DynamicQuantizeLinear_MatMulInteger_etc alone: `python DynamicQuantizeLinear_MatMulInteger_etc_eddd0a74f3fe.py [--threads N] [--json]`.

Benchmark eddd0a74f3fef099a2cb2d0ee18dcf770e914bdd1667adc70bc8820667e55236,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eddd0a74f3fef099a2cb2d0ee18dcf770e914bdd1667adc70bc8820667e55236', SUITE, sys.argv[1:]))
