"""From ONNX files to a Model: the graph without its weights, dimensions bound, layers in canonical form."""
