"""Transforms of training steps: what Daydream modelled, and where measurements say more, better."""
