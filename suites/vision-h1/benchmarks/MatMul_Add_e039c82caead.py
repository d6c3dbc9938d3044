"""MatMul_Add alone: `python MatMul_Add_e039c82caead.py [--threads N] [--json]`.

Benchmark e039c82caeaded9be6832e1673e3ebdde34b40ba333d01050eaee7e55fc7cb1f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e039c82caeaded9be6832e1673e3ebdde34b40ba333d01050eaee7e55fc7cb1f', SUITE, sys.argv[1:]))
