"""Add alone: `python Add_be4cee734259.py [--threads N] [--json]`.

Benchmark be4cee7342592929530814ff154615c88ae9a92e4342bee178bfd0c6150bddde,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('be4cee7342592929530814ff154615c88ae9a92e4342bee178bfd0c6150bddde', SUITE, sys.argv[1:]))
