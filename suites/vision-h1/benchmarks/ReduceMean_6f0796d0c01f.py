"""ReduceMean alone: `python ReduceMean_6f0796d0c01f.py [--threads N] [--json]`.

Benchmark 6f0796d0c01f0d24e13baab108cb72a592b9300a50ee1522e90a9bac8174108e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6f0796d0c01f0d24e13baab108cb72a592b9300a50ee1522e90a9bac8174108e', SUITE, sys.argv[1:]))
