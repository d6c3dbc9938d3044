"""InstanceNormalization alone: `python InstanceNormalization_7e0be8aba483.py [--threads N] [--json]`.

Benchmark 7e0be8aba483bb2077d62d85a4eaf565bf36f7ac447df2c53a356d88a1c91015,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7e0be8aba483bb2077d62d85a4eaf565bf36f7ac447df2c53a356d88a1c91015', SUITE, sys.argv[1:]))
