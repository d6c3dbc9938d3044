"""The runtimes: one module each, with the functions of ``session.Backend``."""

USUAL = "onnxruntime"
"""The runtime of runs that name none."""
RUNTIMES = (USUAL, "openvino")
"""Names of the runtimes; each has a module of its name."""
