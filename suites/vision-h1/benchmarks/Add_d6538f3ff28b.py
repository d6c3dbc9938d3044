"""Add alone: `python Add_d6538f3ff28b.py [--threads N] [--json]`.

Benchmark d6538f3ff28b948558f4e08906c1101e19ca7a9967b4b81b62ac7275d9cdbae3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d6538f3ff28b948558f4e08906c1101e19ca7a9967b4b81b62ac7275d9cdbae3', SUITE, sys.argv[1:]))
