"""Relu alone: `python Relu_83e478ca666d.py [--threads N] [--json]`.

Benchmark 83e478ca666dbdaa515232f487f53c23957e4e72f733655c3de3ca3cb79d5fcb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('83e478ca666dbdaa515232f487f53c23957e4e72f733655c3de3ca3cb79d5fcb', SUITE, sys.argv[1:]))
