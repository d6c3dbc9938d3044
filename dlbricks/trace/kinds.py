"""The kinds of spans; comments list the attributes of each kind."""

import re

# Level MODEL: one call of the network
CALL = "call"
# Level APPLICATION: a training step or iteration
STEP = "step"
# Level APPLICATION: a range that a user marked
RANGE = "range"
# Level LAYER: an operator that a framework or runtime executed
OPERATOR = "operator"
# Level LIBRARY: a call of the CUDA runtime; a call that launches a kernel, copy or memset has the role LAUNCH
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
# Level KERNEL: one execution of a CUDA graph as a whole
GRAPH = "graph"
# Level HARDWARE: overhead that the profiler reports for itself
OVERHEAD = "overhead"
# Kinds that keep a device busy
DEVICE_KINDS = (KERNEL, COPY, MEMSET, COLLECTIVE)

# A collective's name begins with a communication library (``hcom_``: Ascend) or contains an operation of several
# devices. Operations within a block, warp or device (MLX's ``all_reduce``) do not count, nor do kernels that a compiler
# names after the operations that it fused into them.
_COLLECTIVE_NAME = re.compile(
    r"^(?!triton_(poi|red|per|tem|for|unk)_|.*\bmlx::)"
    r"((void )?(nccl|rccl|msccl|oneccl|[a-z]{1,3}ccl(Dev)?Kernel|hcom_)"
    r"|.*(userbuffers_|multimem_all|cross_device_reduce|(one|two)_shot_all"
    r"|(?<!block)(?<!block_)(?<!warp)(?<!warp_)(all_?reduce|all_?gather|reduce_?scatter|all_?to_?all)))",
    re.IGNORECASE,
)
_LAUNCHING = re.compile(r"(cuda|cu|hip)(Ext|Module|HccModule|ExtModule|Graph)?(Launch(?!HostFunc)|Memcpy|Memset)")

# Attributes of spans. The name of a quantity ends in its unit.
# index: position of a call among all calls, or of a layer outside of bodies among the layers of its call, from 0
# batch: number of inputs per call
# count: number of executions of a layer that a span of the short form stands for
# type: operator of a layer, as in Conv
# shape: types and shapes of a layer's outputs, as in float32[1,64,56,56]
# provider: execution provider of a layer
# source_layers: names of the original network's layers that an executed layer computes, separated by spaces
# inputs: names of the layers whose outputs a layer reads, separated by spaces
# parameter_bytes: bytes of a layer's constants
# activation_bytes: bytes of a layer's inputs, without constants
# output_bytes: bytes of a layer's outputs
# memory_bytes: bytes that the runtime's allocator has in use after a layer
# allocated_bytes: bytes that a layer allocated and did not free
# peak_bytes: most bytes in use from the opening of the session to the end of a layer
# flops: operations of a layer (computed from shapes), or floating-point operations of a kernel or call (counted)
# read_bytes: bytes that a layer reads, computed from shapes
# written_bytes: bytes that a layer writes, computed from shapes
# dram_read_bytes: bytes read from device memory by a kernel or call, counted
# dram_write_bytes: bytes written to device memory by a kernel or call, counted
# occupancy: achieved occupancy of a kernel or call, 0 to 1
# theoretical_occupancy: theoretical occupancy of a kernel, 0 to 1
# grid: blocks of a kernel per dimension, as in 80,1,1
# block: threads of a block per dimension, as in 256,1,1
# registers: registers per thread
# shared_bytes: bytes of shared memory per block
# bytes: bytes that a copy or memset writes, or that a collective moves on this rank
# copy: direction of a copy, as in host to device
# stream: number of the stream of a call or an execution
# graph: number of a CUDA graph
# graph_node: number of the node of a CUDA graph
# cluster: blocks of a cluster per dimension, as in 2,1,1
# shared_executed_bytes: bytes of shared memory that the driver set aside on a multiprocessor
# error: error number of a library call
# external_id: id that a framework registered with the profiler around a call, to link the call to an operator
# event: number of a CUDA event
# sequence: autograd's sequence number, which a forward operator and its backward operator share
# forward_thread: thread number of the forward operator that a backward operator belongs to; 0 for a forward operator
# flow: number of the arrow from an operator to the operator that computes its gradient
# input_shapes: shapes of all inputs of a layer, as in [[32,3,224,224],[64,3,7,7]]; [] for an input that is not a tensor
# input_types: element types of all inputs of a layer, as in float32,int64,,; empty for an input without one
# wait_stream: stream that a synchronisation waits for
# wait_correlation: correlation number of the call that recorded the event for which a synchronisation waits
# threads_wait_ns: time that the threads of a layer waited, from the runtime's statistics
# collective: name of a collective, as in allreduce
# group: name of the process group of a collective
# ranks: ranks of the process group, as in [0, 1]; the recorder truncates long lists
# group_size: number of ranks of a collective
# collective_sequence: number of a collective among those of its group, equal on all ranks
# elements: number of elements that this rank contributes to a collective
# dtype: element type of a collective or of a layer's output; for a layer that multiplies integers, of its products
# cycles: cycles of a call, counted
# instructions: instructions of a call, counted
# cache_misses: misses of the last-level cache in a call, counted


def is_collective(name: str) -> bool:
    """Return whether a kernel is a collective, by its name."""
    return _COLLECTIVE_NAME.search(name) is not None


def is_launch(name: str) -> bool:
    """Return whether a CUDA or HIP call launches work on a device, by its name."""
    return _LAUNCHING.match(name) is not None
