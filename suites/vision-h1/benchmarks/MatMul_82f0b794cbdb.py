"""MatMul alone: `python MatMul_82f0b794cbdb.py [--threads N] [--json]`.

Benchmark 82f0b794cbdb38c439a9490cbf9e6cb28fe9634f150bb412dd1f19697d6031b0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('82f0b794cbdb38c439a9490cbf9e6cb28fe9634f150bb412dd1f19697d6031b0', SUITE, sys.argv[1:]))
