"""The passes that change a network, as a graph of onnx-graphsurgeon, before it becomes a Model."""
