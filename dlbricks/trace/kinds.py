"""The kinds of spans, for all readers, analyses and exporters; comments name the attributes of spans."""

import re

# Level MODEL: one call of the network
CALL = "call"
# Level APPLICATION: a training step or iteration
STEP = "step"
# Level APPLICATION: a range that a user marked
RANGE = "range"
# Level LAYER: an operator that a framework or runtime executed
OPERATOR = "operator"
# Level LIBRARY: a call of the CUDA runtime; launches, copies and memsets have the role LAUNCH
RUNTIME = "runtime"
# Level LIBRARY: a call of the CUDA driver
DRIVER = "driver"
# Level LIBRARY: a host call that waits for a device, or the profiler's record of the wait
SYNCHRONISATION = "synchronisation"
# Level LIBRARY: a frame of a Python stack
PYTHON = "python"
KERNEL = "kernel"
COPY = "memcpy"
MEMSET = "memset"
# Level KERNEL, role EXECUTION; a collective is a kernel of a communication library
COLLECTIVE = "collective"
# Level KERNEL: one launch of a CUDA graph as a whole
GRAPH = "graph"
# Level HARDWARE: overhead of the profiler, as it reports it
OVERHEAD = "overhead"
# Kinds that keep a device busy
DEVICE_KINDS = (KERNEL, COPY, MEMSET, COLLECTIVE)

# Communication libraries by prefix (``hcom_``: Ascend); operations of several devices anywhere in the name, but for
# those within a block, warp or device (MLX's ``all_reduce``), and for kernels that a compiler names after what they are
# fused with.
_COLLECTIVE_NAME = re.compile(
    r"^(?!triton_(poi|red|per|tem|for|unk)_|.*\bmlx::)"
    r"((void )?(nccl|rccl|msccl|oneccl|[a-z]{1,3}ccl(Dev)?Kernel|hcom_)"
    r"|.*(userbuffers_|multimem_all|cross_device_reduce|(one|two)_shot_all"
    r"|(?<!block)(?<!block_)(?<!warp)(?<!warp_)(all_?reduce|all_?gather|reduce_?scatter|all_?to_?all)))",
    re.IGNORECASE,
)
_LAUNCHING = re.compile(r"(cuda|cu|hip)(Ext|Module|HccModule|ExtModule|Graph)?(Launch(?!HostFunc)|Memcpy|Memset)")

# Attributes of spans; names of quantities end in their unit.
# index: position of a call among the calls, or of a layer outside of bodies among those of its call, from 0
# batch: number of inputs per call
# count: number of executions of a layer that one span of the short form stands for
# type: operator of a layer, as in Conv
# shape: types and shapes of a layer's outputs, as in float32[1,64,56,56]
# provider: execution provider of a layer
# source_layers: names of the given network's layers that an executed layer computes, separated by spaces
# parameter_bytes: constants of a layer
# activation_bytes: inputs of a layer that are not constants
# output_bytes: outputs of a layer
# memory_bytes: memory in use of the runtime's allocator after a layer
# allocated_bytes: memory that a layer allocated and did not free
# peak_bytes: largest memory in use until the end of a layer since the session was opened
# flops: operations of a layer (from shapes), or of a kernel or call (counted, of floating-point numbers)
# read_bytes: bytes that a layer reads, from shapes
# written_bytes: bytes that a layer writes, from shapes
# dram_read_bytes: bytes read from device memory by a kernel or call, counted
# dram_write_bytes: bytes written to device memory by a kernel or call, counted
# occupancy: achieved occupancy of a kernel or call, 0 to 1
# theoretical_occupancy: theoretical occupancy of a kernel, 0 to 1
# grid: blocks of a kernel, as in 80,1,1
# block: threads of a block, as in 256,1,1
# registers: registers of a thread
# shared_bytes: shared memory of a block
# bytes: bytes copied or set, or moved by a collective on this rank
# copy: direction of a copy, as in host to device
# stream: number of the stream of a call or an execution
# graph: number of a CUDA graph
# graph_node: number of the node of a CUDA graph
# cluster: blocks of a cluster, as in 2,1,1
# shared_executed_bytes: shared memory that the driver set aside on a multiprocessor
# error: error number of a library call
# external_id: external correlation id that a framework pushed around a call
# event: number of a CUDA event
# sequence: autograd's sequence number, shared by a forward and its backward operator
# forward_thread: thread number of a backward operator's forward operator; 0 for a forward operator
# flow: number of the arrow between an operator and the one that computes its gradient
# input_shapes: shapes of all inputs of a layer, as in [[32,3,224,224],[64,3,7,7]]; [] for what is not a tensor
# input_types: element types of all inputs of a layer, as in float32,int64,,; empty for what has none
# wait_stream: stream that a synchronisation waits for
# wait_correlation: correlation number of the call that recorded the event that a synchronisation waits for
# threads_wait_ns: time that the threads of a layer waited, from the runtime's statistics
# collective: name of a collective, as in allreduce
# group: name of the process group of a collective
# ranks: ranks of the process group, as in [0, 1]; long lists are truncated by the recorder
# group_size: number of ranks of a collective
# collective_sequence: number of a collective among those of its group, equal on all ranks
# elements: number of elements that this rank contributes to a collective
# dtype: element type of a collective, or of a layer's output (of its products if these are of integers)
# cycles: cycles of a call, counted
# instructions: instructions of a call, counted
# cache_misses: misses of the last-level cache in a call, counted


def is_collective(name: str) -> bool:
    """Return whether a kernel is a collective, by its name."""
    return _COLLECTIVE_NAME.search(name) is not None


def is_launch(name: str) -> bool:
    """Return whether a call of the runtime or driver launches work on a device, by its name."""
    return _LAUNCHING.match(name) is not None
