"""The table of facts about operators, and the costs, roles of operands and synthetic values that follow from it."""
