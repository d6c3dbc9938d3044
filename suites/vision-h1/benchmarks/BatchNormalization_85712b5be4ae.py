"""BatchNormalization alone: `python BatchNormalization_85712b5be4ae.py [--threads N] [--json]`.

Benchmark 85712b5be4ae00bf14a85a637bd35b125065ebbcae3fa591a7ba275624879986,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85712b5be4ae00bf14a85a637bd35b125065ebbcae3fa591a7ba275624879986', SUITE, sys.argv[1:]))
