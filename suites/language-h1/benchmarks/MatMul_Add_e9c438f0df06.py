"""MatMul_Add alone: `python MatMul_Add_e9c438f0df06.py [--threads N] [--json]`.

Benchmark e9c438f0df06d5dc0b73c18168cbbbd0b729f6a987920607b384a01a0047274a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e9c438f0df06d5dc0b73c18168cbbbd0b729f6a987920607b384a01a0047274a', SUITE, sys.argv[1:]))
