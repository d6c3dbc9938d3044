"""Conv alone: `python Conv_bed5c5dc939a.py [--threads N] [--json]`.

Benchmark bed5c5dc939a8eda08b100d84635f919364a72ffeab75c51f58d05e6175dc99b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bed5c5dc939a8eda08b100d84635f919364a72ffeab75c51f58d05e6175dc99b', SUITE, sys.argv[1:]))
