"""The passes over a network before it becomes a Model, as graphs of onnx-graphsurgeon; only the API uses it, too."""
