"""Reading networks, binding dimensions, shapes, passes, lowering."""
