"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_00e78fad4808.py [--threads N] [--json]`.

Benchmark 00e78fad48083b96c1bb68b2ebda0f6762e11d74458368bf3e69cb957d00237a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('00e78fad48083b96c1bb68b2ebda0f6762e11d74458368bf3e69cb957d00237a', SUITE, sys.argv[1:]))
