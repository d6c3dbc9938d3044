"""Facts of the machine: processor, memory, operating system, GPUs, counters of the processor."""
