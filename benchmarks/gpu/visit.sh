#!/bin/bash
# A visit to a machine with a GPU, nine minutes: visit.sh OUT [cuda|cpu [whole|quick [STAGE...]]]
#
# Each stage has a limit in seconds and a log of its own, and stops no other one. OUT, a new folder, gets visit.tar.gz
# with what there is after each stage. A folder 'site' beside this repository (pack.sh) comes before what is installed.
# 'cpu quick' is the dry run, a little of everything. PYTHON names the interpreter.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
mkdir "$1" "$1/files" || exit 2
out=$(cd "$1" && pwd)
files=$out/files
provider=${2:-cuda}
python=${PYTHON:-python3}
export PYTHONUNBUFFERED=1 ORT_DISABLE_TELEMETRY=1
# a module beside the working directory would hide the installed package, and with it the plug-ins
cd "$files" || exit 2
if [ -d "$root/../site" ]; then
  site=$(cd "$root/../site" && pwd)
  export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH}
  own=$("$python" -c "import nvidia, os; print(*(os.path.join(p, d, 'lib') for p in nvidia.__path__ for d in os.listdir(p)), sep=':')" 2>/dev/null)
  export LD_LIBRARY_PATH=$site/nvidia/cu13/lib${own:+:$own}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  # cupti-python needs at least the release that it came with, which PyTorch's may not be
  cupti=$(ls "$site"/nvidia/*/lib/libcupti.so.* 2>/dev/null | head -n 1)
  [ -n "$cupti" ] && export LD_PRELOAD=$cupti
fi

d="$python -m dlbricks"
n=$root/suites/networks
convolutions=$n/tv_resnet50.onnx
language=$n/hf_distilbert.onnx
portable="$language $convolutions $n/hf_bert_base.onnx"
lowered="$portable $n/tv_mobilenet_v3_small.onnx $n/timm_levit_128.onnx $n/tv_efficientnet_b0.onnx"
calls='--calls 20'
levels=M,ML,MLK
trace=MLK
validate='-H 1'
smoke=
decoder='smollm2-135m'
lengths='--prompt 128 --generate 64'
size=${3:-whole}
only=" ${*:4} "
if [ "$provider" = cpu ]; then levels=M,ML trace=ML; fi
if [ "$size" = quick ]; then
  convolutions=$n/tv_squeezenet1_1.onnx language=$n/misc_dlrm.onnx
  portable=$convolutions lowered=$convolutions
  calls='--calls 2' validate='-H 8 --smoke' smoke='--smoke --only Relu'
  decoder='smollm2-135m --layers 1 --words 500' lengths='--prompt 4 --generate 2 --smoke'
fi

within() { # TIME; all of it is for the machine with the GPU
  echo "--budget $([ "$size" = quick ] && echo 3s || echo "$1")"
}

stage() { # NAME LIMIT_S COMMAND
  case $only in "  " | *" $1 "*) ;; *) return ;; esac
  local began=$SECONDS
  timeout -k 3 "$2" bash -c "$3" > "$files/$1.log" 2>&1
  local rc=$?
  echo "$1 $rc" >> "$out/outcomes"
  echo "$1: exit $rc after $((SECONDS - began)) s: $(grep . "$files/$1.log" | tail -n 1 | cut -c1-200)"
  tar -C "$out" -czf "$out/visit.tar.gz" files outcomes
}

: > "$out/outcomes"
scratch=$(mktemp -d)
stage session 25 "nvidia-smi; nvidia-smi -L; nproc; $python -c '
import onnxruntime
from dlbricks.harness.session import SessionSettings, backend
print(onnxruntime.__version__, onnxruntime.__file__, onnxruntime.get_available_providers())
settings = SessionSettings(provider=\"$provider\")
backend(settings).prepare(settings)
print(\"the provider opens a session\")'"
stage doctor 25 "$d doctor --json > doctor.json; rc=\$?; tail -c 300 doctor.json; exit \$rc"
stage on_a_gpu 30 "cd $root && $python -m pytest -q -n0 -p no:cacheprovider -rs tests/harness/test_on_a_gpu.py"
stage profile_convolutions 40 "$d profile $convolutions --provider $provider --levels $levels $calls $(within 22s) -o convolutions.json.gz"
stage profile_language 35 "$d profile $language --provider $provider --levels $levels $calls $(within 18s) -o language.json.gz"
stage analyse 25 "for f in convolutions language; do $d analyse \$f.json.gz --rows 6 > \$f.tables.txt && $d export \$f.json.gz -o \$f.perfetto.json.gz || exit; done; wc -l *.tables.txt"
stage whatif 25 "for a in cuda-graphs fp16 'scale:0.5,kind=kernel'; do $d whatif language.json.gz --apply \"\$a\"; done; $d whatif language.json.gz --advise"
stage smoke 70 "$d run $root/suites/smoke -o smoke.json --provider $provider --trace $trace ${smoke:-$(within 55s)} && $d check smoke.json"
stage portable 70 "$d validate $portable $validate --target portable --provider $provider $(within 56s) --keep portable -o portable.json"
stage lowered 100 "$d validate $lowered $validate --target onnxruntime-$provider --provider $provider $(within 86s) --keep lowered -o lowered.json"
stage decoder 62 "trap 'rm -rf $scratch' EXIT; $python $root/benchmarks/decoders.py $decoder $scratch --int4 --half && $d llm validate $scratch/model.onnx $lengths --provider $provider --target onnxruntime-$provider $(within 38s) --json > decoder.json; rc=\$?; tail -c 400 decoder.json; exit \$rc"
! grep -qv ' 0$' "$out/outcomes"
