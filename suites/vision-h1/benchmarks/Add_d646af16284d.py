"""Add alone: `python Add_d646af16284d.py [--threads N] [--json]`.

Benchmark d646af16284da60d21d4aecfdc07f787f05653d578e54747a46fcd463b40b8db,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d646af16284da60d21d4aecfdc07f787f05653d578e54747a46fcd463b40b8db', SUITE, sys.argv[1:]))
