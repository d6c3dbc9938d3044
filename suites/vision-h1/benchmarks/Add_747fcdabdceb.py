"""Add alone: `python Add_747fcdabdceb.py [--threads N] [--json]`.

Benchmark 747fcdabdceb3df612c4332eb28c431fb9f03d8ea446f5fbc99e695ed088a8a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('747fcdabdceb3df612c4332eb28c431fb9f03d8ea446f5fbc99e695ed088a8a9', SUITE, sys.argv[1:]))
