#!/bin/bash
# Packs what a GPU machine without a network lacks: pack.sh WHEELS ARCHITECTURE OUT [MiB of a piece].
#
# WHEELS holds wheels of this package, onnxruntime-gpu and all that the machine's Python has not, for that Python
# (pip wheel --no-deps . ; pip download --no-deps ...); ARCHITECTURE is the compute capability, as in 90. There:
#   cat piece.* > visit.tar.xz && sha256sum -c visit.sha256 && tar -xJf visit.tar.xz && dlbricks/benchmarks/gpu/visit.sh out
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
wheels=$(cd "$1" && pwd)
architecture=$2 each=${4:-40}
mkdir -p "$3/tree/site" "$3/tree/dlbricks"
cd "$3"
# an unpacked wheel on the path has its entry points, so plug-ins are found as if pip had installed it
for wheel in "$wheels"/*.whl; do python3 -m zipfile -e "$wheel" tree/site; done
provider=tree/site/onnxruntime/capi/libonnxruntime_providers_cuda.so
python3 "$here/strip_ep.py" "$provider" provider.so "$architecture"
mv provider.so "$provider"
rm -f tree/site/onnxruntime/capi/libonnxruntime_providers_tensorrt.so
tar -C "$root" --exclude=__pycache__ --exclude=weights -cf - benchmarks suites/smoke suites/networks pyproject.toml tests/__init__.py \
  tests/harness/__init__.py tests/harness/test_on_a_gpu.py | tar -C tree/dlbricks -xf -
tar -C tree -cf - . | xz -T0 -6 > visit.tar.xz
sha256sum visit.tar.xz > visit.sha256
split -b "${each}M" -d visit.tar.xz piece.
rm -rf tree visit.tar.xz
ls -l piece.* visit.sha256
