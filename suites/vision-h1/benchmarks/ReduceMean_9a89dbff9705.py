"""ReduceMean alone: `python ReduceMean_9a89dbff9705.py [--threads N] [--json]`.

Benchmark 9a89dbff97052adfd0a8f17598213d63cb5139b9ae7667aba78c6b2eaea5edab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9a89dbff97052adfd0a8f17598213d63cb5139b9ae7667aba78c6b2eaea5edab', SUITE, sys.argv[1:]))
