"""Add alone: `python Add_04e149bbb06f.py [--threads N] [--json]`.

Benchmark 04e149bbb06fb889c0ea0dc414b8fe6223d5bac6ddbb02dba3a9ebd90c846c4d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('04e149bbb06fb889c0ea0dc414b8fe6223d5bac6ddbb02dba3a9ebd90c846c4d', SUITE, sys.argv[1:]))
