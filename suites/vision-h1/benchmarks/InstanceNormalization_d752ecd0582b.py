"""InstanceNormalization alone: `python InstanceNormalization_d752ecd0582b.py [--threads N] [--json]`.

Benchmark d752ecd0582bfeb90582f181d09e87bd818640cbee137d824efaae8c644a8880,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d752ecd0582bfeb90582f181d09e87bd818640cbee137d824efaae8c644a8880', SUITE, sys.argv[1:]))
