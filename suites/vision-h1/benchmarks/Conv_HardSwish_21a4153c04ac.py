"""Conv_HardSwish alone: `python Conv_HardSwish_21a4153c04ac.py [--threads N] [--json]`.

Benchmark 21a4153c04ac1fdddae2be11ddaad2308895ada5ef59e4db2c9fc860a807360f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('21a4153c04ac1fdddae2be11ddaad2308895ada5ef59e4db2c9fc860a807360f', SUITE, sys.argv[1:]))
