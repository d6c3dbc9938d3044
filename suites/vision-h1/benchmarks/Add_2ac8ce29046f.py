"""Add alone: `python Add_2ac8ce29046f.py [--threads N] [--json]`.

Benchmark 2ac8ce29046fe2a818126d8e5caf12d69fa06f20800b28b5ada848c5f9cc2678,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2ac8ce29046fe2a818126d8e5caf12d69fa06f20800b28b5ada848c5f9cc2678', SUITE, sys.argv[1:]))
