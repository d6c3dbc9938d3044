"""MatMul_Add alone: `python MatMul_Add_734b5f350dc6.py [--threads N] [--json]`.

Benchmark 734b5f350dc66a10885062df2020f38d3496842ae0b91979270a1a7d8155b165,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('734b5f350dc66a10885062df2020f38d3496842ae0b91979270a1a7d8155b165', SUITE, sys.argv[1:]))
