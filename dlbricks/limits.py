"""Limits on the memory and time that an untrusted file may take.

``model.bounds`` and the readers enforce them. ``harness`` has limits of its own, since suites contain it without the
rest of this package.
"""

# JSON and TOML

# Size of a file; the largest result of a suite has a tenth of it. Parsed values take up to thirty times as much memory.
DOCUMENT_BYTES = 64 << 20
# Lists and objects of one document, each of which takes 64 bytes of memory or more.
CONTAINERS = 8_000_000
# Lists, objects, texts and numbers of one document, counted by its commas.
VALUES = 20_000_000

# archives and other files that dlbricks writes

# Size of an unpacked suite; its weights are generated where it is run. The largest published suite has 12 MiB.
SUITE_BYTES = 512 << 20
SUITE_MEMBERS = 200_000
# Size of an unpacked challenge, and of an answer.
CHALLENGE_BYTES = 256 << 20
# Calls of a sequence in a challenge; each takes about 5 KB of the vendor's memory and 50 bytes of the answer.
CHALLENGE_CALLS = 1 << 14
# Size of the list of members of a zip file, which is read first; it has room for some 500,000 members.
DIRECTORY_BYTES = 32 << 20
STATEMENT_BYTES = 1 << 15
SIGNATURE_BYTES = 1 << 14
# Wall time in which ssh-keygen must have checked a signature.
SIGNATURE_SECONDS = 60
PROFILE_BYTES = 256 << 20
# Spans of all runs of a profile.
PROFILE_SPANS = 4_000_000
# Values of a profile of onnxruntime: enough for some 400,000 nodes, each of which takes some 4 KB while it is read.
PROFILED_VALUES = 8_000_000
BUNDLE_BYTES = 1 << 30
# Memory of the process that reads a Parquet file (bundles), in which a compressed row may take less than a bit.
UNPACKED_BYTES = 3 << 29

# traces

# Events of any kind; each span takes some 500 bytes while it is analysed.
TRACE_EVENTS = 10_000_000
# Threads and streams; tables of what ran at the same time grow with their square.
TRACE_LANES = 10_000
# Size of a trace that is read as a whole, or of one part of a larger trace.
TRACE_WHOLE_BYTES = 192 << 20
# Commas and brackets, or texts, in such a trace or part: each may become an object of some 100 bytes. Profilers write
# one of them every 14 to 23 bytes.
TRACE_WHOLE_VALUES = 10_000_000
# Tasks that run beside others of their stream.
TRACE_BRANCHES = 10_000

# networks, and the processes that read them

# Size of a tensor; the largest weights of known networks take some 10 GiB.
TENSOR_BYTES = 64 << 30
# Size of one input of a run that observes shapes; key-value caches of decoders take at most an eighth of it.
PROBE_INPUT_BYTES = 1 << 30
# Memory of such a run, in addition to four times its inputs and ``PROBE_PER_WEIGHT``.
PROBE_BYTES = 3 << 29
# Processor time of such a run, seconds, in addition to the time for its operations.
PROBE_SECONDS = 8
# Memory of such a run per byte of constants: a prompt of 512 tokens takes 2.9 GB with 0.4 GB of 4-bit weights.
PROBE_PER_WEIGHT = 16
# Memory of onnx's shape inference, in addition to ``INFERENCE_PER_BYTE`` for each byte of the network.
INFERENCE_BYTES = 1 << 30
INFERENCE_PER_BYTE = 16
# Elements of a vector; with a longer vector in a network, onnx does not infer shapes from values.
INFERRED_VECTOR = 1 << 20
# Size of a constant that constant folding computes.
FOLDED_BYTES = 16 << 20
# Inputs and outputs of a sequence that is run while a suite is generated, if no memory limit is set; the logits of
# 4,096 tokens take 2.5 GiB. The run needs up to twice as much.
RUN_BYTES = 3 << 30
# Tensors of a layer, or at the boundary of a sequence; onnxruntime's time grows with the square of their number.
OPERANDS = 10_000
# Operator calls after inlining functions.
CALLS = 1_000_000
# Nesting depth of bodies of If, Loop and Scan.
BODIES = 10
# Operators in the expression of a dimension, as in ``past + seq``.
TERMS = 200

# Processor time to read an empty network, seconds.
READ_SECONDS = 12
# Layers read per second of additional processor time; the networks tried so far need a tenth of it.
LAYERS_PER_SECOND = 2000
# Processor time per thread to compile a network in all sessions of a profile, seconds: three times the longest seen.
OPENING_SECONDS = 60
# Bytes of synthetic weights written per second of additional time.
WRITTEN_PER_SECOND = 200_000_000
# Operations per second of additional time of a run; a core does ten times as many without optimisations.
OPERATIONS_PER_SECOND = 1_000_000_000

# A process is idle if it ran on a processor, and waited for one, for less than this time, seconds. It hangs if it is
# idle for as much wall time as it may compute.
IDLE_SECONDS = 0.1
