"""Conv_Clip alone: `python Conv_Clip_11dbd277596d.py [--threads N] [--json]`.

Benchmark 11dbd277596d567032b62328e9ed285fdb11447bc9cdab17a488738fcadac74a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11dbd277596d567032b62328e9ed285fdb11447bc9cdab17a488738fcadac74a', SUITE, sys.argv[1:]))
