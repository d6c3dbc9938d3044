"""Conv_Add alone: `python Conv_Add_07910624f4e2.py [--threads N] [--json]`.

Benchmark 07910624f4e2f5bcd8eb16fddde51dbfe4931d0a91820a13441aa4fd03ad4867,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('07910624f4e2f5bcd8eb16fddde51dbfe4931d0a91820a13441aa4fd03ad4867', SUITE, sys.argv[1:]))
