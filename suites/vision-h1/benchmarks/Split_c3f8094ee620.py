"""Split alone: `python Split_c3f8094ee620.py [--threads N] [--json]`.

Benchmark c3f8094ee620ad6b14e30c58f2c8827af631718cf86d974698fe96adf86595ac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c3f8094ee620ad6b14e30c58f2c8827af631718cf86d974698fe96adf86595ac', SUITE, sys.argv[1:]))
