"""Add alone: `python Add_9808baf4fc71.py [--threads N] [--json]`.

Benchmark 9808baf4fc71912cedef1dba44af38791654d816d48e5029d023df53d7289b53,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9808baf4fc71912cedef1dba44af38791654d816d48e5029d023df53d7289b53', SUITE, sys.argv[1:]))
