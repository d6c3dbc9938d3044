"""Reads recordings of PyTorch (Kineto), CUPTI, onnxruntime and the harness as traces."""
