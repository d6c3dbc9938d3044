"""Conv alone: `python Conv_fa9dd9adc592.py [--threads N] [--json]`.

Benchmark fa9dd9adc5927027401920089bef4255a11e1dc808f8228d9cbb987a4c6615eb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa9dd9adc5927027401920089bef4255a11e1dc808f8228d9cbb987a4c6615eb', SUITE, sys.argv[1:]))
