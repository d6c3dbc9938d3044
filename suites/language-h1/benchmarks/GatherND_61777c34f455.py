"""GatherND alone: `python GatherND_61777c34f455.py [--threads N] [--json]`.

Benchmark 61777c34f45545414763e1468450f78b646fd32adc9ce4049a3b257e14e10421,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('61777c34f45545414763e1468450f78b646fd32adc9ce4049a3b257e14e10421', SUITE, sys.argv[1:]))
