"""Add alone: `python Add_ae2f8228eb73.py [--threads N] [--json]`.

Benchmark ae2f8228eb73a927c731868ab62818a91947e408d921d998a03b5cc36c955b4e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae2f8228eb73a927c731868ab62818a91947e408d921d998a03b5cc36c955b4e', SUITE, sys.argv[1:]))
