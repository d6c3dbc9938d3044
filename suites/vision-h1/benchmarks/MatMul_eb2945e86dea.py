"""MatMul alone: `python MatMul_eb2945e86dea.py [--threads N] [--json]`.

Benchmark eb2945e86dea87a8ddf5e26c781811820fcba4a43a1fc0a066b308ecceaf2694,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eb2945e86dea87a8ddf5e26c781811820fcba4a43a1fc0a066b308ecceaf2694', SUITE, sys.argv[1:]))
