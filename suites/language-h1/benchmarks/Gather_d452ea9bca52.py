"""Gather alone: `python Gather_d452ea9bca52.py [--threads N] [--json]`.

Benchmark d452ea9bca528bacd58c1554c1464a6afe757f2d6722bba4ea224b401fe1242c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d452ea9bca528bacd58c1554c1464a6afe757f2d6722bba4ea224b401fe1242c', SUITE, sys.argv[1:]))
