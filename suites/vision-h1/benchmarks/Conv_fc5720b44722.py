"""Conv alone: `python Conv_fc5720b44722.py [--threads N] [--json]`.

Benchmark fc5720b44722e8d40de928a3a2c1e8e3d09be86aea66cabfd119a19e9a4d8d18,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fc5720b44722e8d40de928a3a2c1e8e3d09be86aea66cabfd119a19e9a4d8d18', SUITE, sys.argv[1:]))
