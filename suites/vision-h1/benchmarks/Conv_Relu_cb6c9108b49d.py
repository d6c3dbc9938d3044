"""Conv_Relu alone: `python Conv_Relu_cb6c9108b49d.py [--threads N] [--json]`.

Benchmark cb6c9108b49dcd86a0867fca0e143470ddcd9b537164362074c48af6cd79db4a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cb6c9108b49dcd86a0867fca0e143470ddcd9b537164362074c48af6cd79db4a', SUITE, sys.argv[1:]))
