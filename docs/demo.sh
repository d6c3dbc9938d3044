#!/bin/sh
# The main job on real networks, start to end: `make demo` runs this with dlbricks on the path.
set -eu
export DLBRICKS_STORE="sqlite:///demo/store.sqlite"
rm -rf demo
mkdir demo
say() {
    printf '\n$ %s\n' "$*"
    "$@"
}

say dlbricks inspect suites/networks/tv_squeezenet1_1.onnx suites/networks/tv_resnet18.onnx \
    suites/networks/hf_distilbert.onnx
say dlbricks generate suites/networks/tv_squeezenet1_1.onnx suites/networks/tv_resnet18.onnx \
    suites/networks/hf_distilbert.onnx -o demo/suite
say dlbricks run demo/suite -o demo/result.json --name this-machine
say dlbricks check demo/result.json
say dlbricks submit demo/result.json --suite demo/suite
say dlbricks systems
say dlbricks estimate suites/networks/tv_resnet18.onnx --system this-machine
say dlbricks whatif suites/networks/tv_resnet18.onnx --system this-machine --apply threads:2
say dlbricks validate suites/networks/tv_resnet18.onnx suites/networks/tv_squeezenet1_1.onnx \
    --budget 60s -o demo/validate.json
