"""Conv_HardSwish alone: `python Conv_HardSwish_d5bc8189112d.py [--threads N] [--json]`.

Benchmark d5bc8189112d014cbf4fd2df1def755af0088a30bdb0f7778e1c3bfd518fe729,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5bc8189112d014cbf4fd2df1def755af0088a30bdb0f7778e1c3bfd518fe729', SUITE, sys.argv[1:]))
