"""Add alone: `python Add_0d87f7723922.py [--threads N] [--json]`.

Benchmark 0d87f772392297ba829faf690c6a5c7d440b20032feeb8b92646340c24703b6c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0d87f772392297ba829faf690c6a5c7d440b20032feeb8b92646340c24703b6c', SUITE, sys.argv[1:]))
