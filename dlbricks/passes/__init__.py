"""The passes, which change a graph of onnx-graphsurgeon before it becomes a Model."""
