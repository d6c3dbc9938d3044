"""Conv_Clip alone: `python Conv_Clip_3181756b136f.py [--threads N] [--json]`.

Benchmark 3181756b136f5e92835eb06f394cae8e423bff81c3082f26c4a00f9e3c8d9a85,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3181756b136f5e92835eb06f394cae8e423bff81c3082f26c4a00f9e3c8d9a85', SUITE, sys.argv[1:]))
