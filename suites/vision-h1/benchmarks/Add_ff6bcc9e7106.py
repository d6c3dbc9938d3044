"""Add alone: `python Add_ff6bcc9e7106.py [--threads N] [--json]`.

Benchmark ff6bcc9e710611314efc85f202c0d5954bbcdaa8fe5f4985dc4790f81025d33d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff6bcc9e710611314efc85f202c0d5954bbcdaa8fe5f4985dc4790f81025d33d', SUITE, sys.argv[1:]))
