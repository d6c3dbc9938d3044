"""Add alone: `python Add_f20c29ef954a.py [--threads N] [--json]`.

Benchmark f20c29ef954abc59b6a8a8e00fd660ffdbaea4cfc1e084418ad15a2940c8add2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f20c29ef954abc59b6a8a8e00fd660ffdbaea4cfc1e084418ad15a2940c8add2', SUITE, sys.argv[1:]))
