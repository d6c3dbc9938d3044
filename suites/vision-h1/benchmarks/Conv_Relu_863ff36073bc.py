"""Conv_Relu alone: `python Conv_Relu_863ff36073bc.py [--threads N] [--json]`.

Benchmark 863ff36073bc5be8faeda1f60124e6ee8e1ed90416115ab8a682ed578b540219,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('863ff36073bc5be8faeda1f60124e6ee8e1ed90416115ab8a682ed578b540219', SUITE, sys.argv[1:]))
