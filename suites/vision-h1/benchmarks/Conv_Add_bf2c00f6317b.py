"""Conv_Add alone: `python Conv_Add_bf2c00f6317b.py [--threads N] [--json]`.

Benchmark bf2c00f6317bd3c16c02bb7fac24a0b3b3347959a1e39f8dbc0a078b2ade6698,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bf2c00f6317bd3c16c02bb7fac24a0b3b3347959a1e39f8dbc0a078b2ade6698', SUITE, sys.argv[1:]))
