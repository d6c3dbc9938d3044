"""HardSwish alone: `python HardSwish_838a132ac4bb.py [--threads N] [--json]`.

Benchmark 838a132ac4bbdbc20b65e2398ebcdcbfeda4eeb8f4f33440dff0541e18eb0879,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('838a132ac4bbdbc20b65e2398ebcdcbfeda4eeb8f4f33440dff0541e18eb0879', SUITE, sys.argv[1:]))
