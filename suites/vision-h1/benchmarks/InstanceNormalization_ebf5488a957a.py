"""InstanceNormalization alone: `python InstanceNormalization_ebf5488a957a.py [--threads N] [--json]`.

Benchmark ebf5488a957abf595587d7e35fe449b37dd75184694347468c7ae7015b6a3526,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ebf5488a957abf595587d7e35fe449b37dd75184694347468c7ae7015b6a3526', SUITE, sys.argv[1:]))
