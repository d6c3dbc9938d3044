"""Conv_Relu alone: `python Conv_Relu_30e6693e4677.py [--threads N] [--json]`.

Benchmark 30e6693e46774f6b4878b91275ddf57741e827c107e6dbe22b32c6876f1fc671,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('30e6693e46774f6b4878b91275ddf57741e827c107e6dbe22b32c6876f1fc671', SUITE, sys.argv[1:]))
