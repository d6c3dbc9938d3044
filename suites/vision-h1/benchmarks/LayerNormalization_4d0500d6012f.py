"""LayerNormalization alone: `python LayerNormalization_4d0500d6012f.py [--threads N] [--json]`.

Benchmark 4d0500d6012fece746a30179949a18455d6b7113e6c644c991a1a29500408b25,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4d0500d6012fece746a30179949a18455d6b7113e6c644c991a1a29500408b25', SUITE, sys.argv[1:]))
