"""The target onnxruntime-cpu: what the installed runtime can execute and what it makes of a network."""
