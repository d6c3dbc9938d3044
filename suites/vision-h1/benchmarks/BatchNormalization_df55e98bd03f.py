"""BatchNormalization alone: `python BatchNormalization_df55e98bd03f.py [--threads N] [--json]`.

Benchmark df55e98bd03ff19aae6f320a01521aeaa3e9ebd760d84fe2b532122bb0906c49,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('df55e98bd03ff19aae6f320a01521aeaa3e9ebd760d84fe2b532122bb0906c49', SUITE, sys.argv[1:]))
