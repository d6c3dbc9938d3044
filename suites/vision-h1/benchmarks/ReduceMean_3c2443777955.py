"""ReduceMean alone: `python ReduceMean_3c2443777955.py [--threads N] [--json]`.

Benchmark 3c2443777955d24263c443db1d131e6562f8c456334ddc80809ac05af9a397cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3c2443777955d24263c443db1d131e6562f8c456334ddc80809ac05af9a397cf', SUITE, sys.argv[1:]))
