"""The target ``openvino``: a network is split as OpenVINO executes it."""
