"""InstanceNormalization alone: `python InstanceNormalization_7f6e91603bc7.py [--threads N] [--json]`.

Benchmark 7f6e91603bc7a4215b6e78eff36c88688b8047beb757ddae589302970abb1376,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7f6e91603bc7a4215b6e78eff36c88688b8047beb757ddae589302970abb1376', SUITE, sys.argv[1:]))
