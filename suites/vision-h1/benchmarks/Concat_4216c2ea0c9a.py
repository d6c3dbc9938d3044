"""Concat alone: `python Concat_4216c2ea0c9a.py [--threads N] [--json]`.

Benchmark 4216c2ea0c9a80716130dc58de4114f12b34649128280df784e81951f923dcec,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4216c2ea0c9a80716130dc58de4114f12b34649128280df784e81951f923dcec', SUITE, sys.argv[1:]))
