"""The target ``openvino``: networks are split into the layers that OpenVINO executes."""
