"""Facts about operators: one table, and what follows from it (costs, roles of operands, synthetic values)."""
