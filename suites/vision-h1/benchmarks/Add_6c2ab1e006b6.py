"""Add alone: `python Add_6c2ab1e006b6.py [--threads N] [--json]`.

Benchmark 6c2ab1e006b6adc351f3e9ca952351fa00acd38b5934fb6fb28a7c18a20f3979,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c2ab1e006b6adc351f3e9ca952351fa00acd38b5934fb6fb28a7c18a20f3979', SUITE, sys.argv[1:]))
