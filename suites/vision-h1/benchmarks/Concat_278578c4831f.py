"""Concat alone: `python Concat_278578c4831f.py [--threads N] [--json]`.

Benchmark 278578c4831f0cc051db2db64a05b495cdafa5444b8a7f6bb955f882c7c117e4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('278578c4831f0cc051db2db64a05b495cdafa5444b8a7f6bb955f882c7c117e4', SUITE, sys.argv[1:]))
