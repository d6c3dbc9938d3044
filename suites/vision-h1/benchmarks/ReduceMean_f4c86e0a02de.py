"""ReduceMean alone: `python ReduceMean_f4c86e0a02de.py [--threads N] [--json]`.

Benchmark f4c86e0a02de8b8caf1a88a168082abf3cefd04f120a80dcf84c42a1bed45533,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4c86e0a02de8b8caf1a88a168082abf3cefd04f120a80dcf84c42a1bed45533', SUITE, sys.argv[1:]))
