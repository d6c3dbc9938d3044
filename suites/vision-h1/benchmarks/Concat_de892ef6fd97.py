"""Concat alone: `python Concat_de892ef6fd97.py [--threads N] [--json]`.

Benchmark de892ef6fd972d75952647f446f60e8c1b863aace9f59d319f4a4420c50eceb9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('de892ef6fd972d75952647f446f60e8c1b863aace9f59d319f4a4420c50eceb9', SUITE, sys.argv[1:]))
