"""Conv_HardSwish alone: `python Conv_HardSwish_359a0641d84d.py [--threads N] [--json]`.

Benchmark 359a0641d84d41a351ecd3bd75d340bb0afed571a5bbf1f0213915c452e91139,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('359a0641d84d41a351ecd3bd75d340bb0afed571a5bbf1f0213915c452e91139', SUITE, sys.argv[1:]))
