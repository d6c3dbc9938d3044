"""The kinds of spans and the names of their attributes: one vocabulary for all readers, analyses and exporters."""

from collections.abc import Mapping

CALL = "call"
"""Level MODEL: one call of the network."""
STEP = "step"
"""Level APPLICATION: a training step or iteration."""
RANGE = "range"
"""Level APPLICATION: a range that a user marked."""
OPERATOR = "operator"
"""Level LAYER: an operator that a framework or runtime executed."""
RUNTIME = "runtime"
"""Level LIBRARY: a call of the CUDA runtime; launches, copies and memsets have the role LAUNCH."""
DRIVER = "driver"
"""Level LIBRARY: a call of the CUDA driver."""
SYNCHRONISATION = "synchronisation"
"""Level LIBRARY: a host call, or a record of the profiler, that waits for a device."""
PYTHON = "python"
"""Level LIBRARY: a frame of a Python stack."""
KERNEL = "kernel"
COPY = "memcpy"
MEMSET = "memset"
COLLECTIVE = "collective"
"""Level KERNEL, role EXECUTION; a collective is a kernel of a communication library."""
GRAPH = "graph"
"""Level KERNEL: one launch of a CUDA graph as a whole."""
OVERHEAD = "overhead"
"""Level HARDWARE: time that the profiler says it took itself."""
ENVIRONMENT = "environment"
"""Level HARDWARE: clocks, power, temperature, throttling; zero-length."""
DEVICE_KINDS = (KERNEL, COPY, MEMSET, COLLECTIVE)
"""What keeps a device busy."""

ATTRIBUTES: Mapping[str, str] = {
    "index": "of a call among the calls, of a layer outside of bodies within its call in order of execution, from 0",
    "batch": "inputs per call",
    "count": "executions of a layer that one span stands for, of the short form of results",
    "type": "operator of a layer, as in Conv",
    "shape": "of the outputs of a layer, as in float32[1,64,56,56]",
    "provider": "execution provider of a layer",
    "source_layers": "names of the layers of the network as given, separated by a space, that an executed layer is of",
    "parameter_bytes": "constants of a layer",
    "activation_bytes": "inputs of a layer that are no constants",
    "output_bytes": "outputs of a layer",
    "memory_bytes": "in use after a layer, of the runtime's allocator",
    "allocated_bytes": "that a layer allocated and did not free",
    "live_bytes": "of a layer's inputs and outputs and of what waits for later layers, from the graph",
    "peak_bytes": "most in use up to the end of a layer since the session was opened",
    "flops": "operations of a layer (from shapes), of a kernel or a call (counted; on floating-point numbers)",
    "read_bytes": "that a layer reads, from shapes",
    "written_bytes": "that a layer writes, from shapes",
    "dram_read_bytes": "counted on the device, of a kernel or a call",
    "dram_write_bytes": "counted on the device, of a kernel or a call",
    "occupancy": "achieved, 0 to 1, of a kernel or a call",
    "flops_float32": "counted on the device in a call, outside of tensor cores",
    "flops_float16": "counted on the device in a call, outside of tensor cores",
    "flops_tensor_float16": "counted on tensor cores in a call",
    "flops_tensor_bfloat16": "counted on tensor cores in a call",
    "flops_tensor_tf32": "counted on tensor cores in a call",
    "flops_tensor_float8": "counted on tensor cores in a call",
    "ops_tensor_int8": "counted on tensor cores in a call",
    "theoretical_occupancy": "possible, 0 to 1",
    "grid": "blocks of a kernel, as in 80,1,1",
    "block": "threads of a block, as in 256,1,1",
    "registers": "of a thread",
    "shared_bytes": "shared memory of a block",
    "bytes": "copied or set, or moved by a collective on this rank",
    "copy": "direction, as in host to device",
    "stream": "number of the stream a call or an execution is for",
    "graph": "number of a CUDA graph",
    "graph_node": "number of the node of a CUDA graph",
    "cluster": "blocks of a cluster, as in 2,1,1",
    "shared_executed_bytes": "shared memory that the driver set aside on a multiprocessor",
    "queued_ns": "time at which a launch was queued",
    "submitted_ns": "time at which a launch was handed to the device",
    "error": "number of the error that a call of a library gave",
    "external_id": "pushed by a framework around a call",
    "event": "number of a CUDA event",
    "sequence": "autograd's number that a forward and its backward operator share",
    "forward_thread": "of a backward operator: number of the thread of its forward operator; 0 on a forward operator",
    "flow": "number of the arrow that an operator and the one that computes its gradient share",
    "input_shapes": "of all inputs of a layer, as in [[32,3,224,224],[64,3,7,7]]; empty lists for what is no tensor",
    "wait_stream": "stream that a record of synchronisation waits for",
    "wait_correlation": "of the call that recorded the event which a record of synchronisation waits for",
    "threads_wait_ns": "that the threads of a layer waited, of the runtime's own statistics",
    "collective": "which one, as in allreduce",
    "group": "name of the group of ranks of a collective",
    "ranks": "of that group, as in [0, 1]; cut short by the recorder where there are many",
    "group_size": "ranks of a collective",
    "collective_sequence": "number of a collective among those of its group, the same on all its ranks",
    "elements": "of a collective: that this rank gives",
    "dtype": "element type of a collective; of what a layer gives, or of its products where these are of integers",
    "cycles": "counted around a call",
    "instructions": "counted around a call",
    "cache_misses": "of the last level, counted around a call",
    "value": "of an environment record: a clock, temperature, power, fan or the bits of throttle reasons",
    "throttle": "of an environment record of throttle reasons: what its bits mean, as in power cap",
}
"""Every attribute that readers give and others read, with its meaning; names end in their unit."""
