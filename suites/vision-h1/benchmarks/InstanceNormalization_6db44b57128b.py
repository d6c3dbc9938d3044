"""InstanceNormalization alone: `python InstanceNormalization_6db44b57128b.py [--threads N] [--json]`.

Benchmark 6db44b57128bc34c4ab62618dc7c29a97d206c70d83edbc56e2ff0c83895cee2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6db44b57128bc34c4ab62618dc7c29a97d206c70d83edbc56e2ff0c83895cee2', SUITE, sys.argv[1:]))
