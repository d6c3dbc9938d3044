"""Conv_Add alone: `python Conv_Add_abe3322acfb7.py [--threads N] [--json]`.

Benchmark abe3322acfb73690bd73bec10f52ce3a93b66fbcc2648c05f9ae993ddfa19fbe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('abe3322acfb73690bd73bec10f52ce3a93b66fbcc2648c05f9ae993ddfa19fbe', SUITE, sys.argv[1:]))
