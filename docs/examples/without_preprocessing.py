"""A pass of one's own: an image network begins at its first convolution, without the preprocessing before it.

dlbricks generate net.onnx -o suite --pass without_preprocessing.py:without_preprocessing
"""

import onnx_graphsurgeon as gs


def without_preprocessing(graph: gs.Graph) -> gs.Graph:
    """Make what the first convolution reads the only input; its type and shape have to be in the file."""
    image = next(node for node in graph.nodes if node.op == "Conv").inputs[0]
    image.inputs.clear()
    graph.inputs = [image]
    return graph.cleanup()
