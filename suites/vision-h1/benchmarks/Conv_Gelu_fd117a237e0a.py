"""Conv_Gelu alone: `python Conv_Gelu_fd117a237e0a.py [--threads N] [--json]`.

Benchmark fd117a237e0a5cc3f66f27621fed8d3f56cf893599d821457138ca951cc20b8d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fd117a237e0a5cc3f66f27621fed8d3f56cf893599d821457138ca951cc20b8d', SUITE, sys.argv[1:]))
