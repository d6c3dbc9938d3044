"""HardSwish alone: `python HardSwish_e0806d1f390f.py [--threads N] [--json]`.

Benchmark e0806d1f390fcc7d3de86ebbb01874c4e3859d842f0ce9ea674949fabd9a0f9c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e0806d1f390fcc7d3de86ebbb01874c4e3859d842f0ce9ea674949fabd9a0f9c', SUITE, sys.argv[1:]))
