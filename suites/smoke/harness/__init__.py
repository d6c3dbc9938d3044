"""The measuring code that every suite carries: standard library, numpy and onnxruntime, nothing else of dlbricks.

onnxruntime reports to its makers from release 1.32 on, and keeps a number of the machine in the user's cache.
Unless the user has said otherwise it is told not to, before it is imported.
"""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
