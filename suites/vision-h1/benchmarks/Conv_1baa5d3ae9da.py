"""Conv alone: `python Conv_1baa5d3ae9da.py [--threads N] [--json]`.

Benchmark 1baa5d3ae9dabceaa8e6ee37f4c727761411fe914a1aacbd0103aebbb2714729,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1baa5d3ae9dabceaa8e6ee37f4c727761411fe914a1aacbd0103aebbb2714729', SUITE, sys.argv[1:]))
