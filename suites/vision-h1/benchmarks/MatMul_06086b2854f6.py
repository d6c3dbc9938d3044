"""MatMul alone: `python MatMul_06086b2854f6.py [--threads N] [--json]`.

Benchmark 06086b2854f64ff2e82860e44feed95cf848038f5bbd5ecdb57fee3eeb8ab253,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('06086b2854f64ff2e82860e44feed95cf848038f5bbd5ecdb57fee3eeb8ab253', SUITE, sys.argv[1:]))
