"""Split ONNX networks into unique layer sequences, measure the pieces, rebuild the latency of the whole.

The way of the data is the import order; a module imports only from what stands to its left::

    errors units fingerprint files | model | sequences | suite | trace | profile
        | store | construct | whatif | analysis | report | cli

``harness`` stands alone: it is copied into every suite, imports nothing else of dlbricks, and may be imported by all.
``tests/test_layering.py`` holds the package to this line.
"""

__version__ = "0.1.0"
