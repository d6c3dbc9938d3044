"""Concat alone: `python Concat_d8d698db60f6.py [--threads N] [--json]`.

Benchmark d8d698db60f63f46230e194c5530fb14f354b5a860505099c9ee6abee18b6cd0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d8d698db60f63f46230e194c5530fb14f354b5a860505099c9ee6abee18b6cd0', SUITE, sys.argv[1:]))
