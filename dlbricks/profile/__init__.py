"""Leveled experiments: one network run at every level of the stack, each level timed where no deeper one disturbs."""
