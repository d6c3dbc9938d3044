"""MatMul_Add alone: `python MatMul_Add_8498766c5e06.py [--threads N] [--json]`.

Benchmark 8498766c5e0673cfcef8f84edcaf1d54e81b13583f0f8861dabb2c93c0cb0922,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8498766c5e0673cfcef8f84edcaf1d54e81b13583f0f8861dabb2c93c0cb0922', SUITE, sys.argv[1:]))
