"""Reads networks and prepares them: graphs, costs, lowering to runtimes, synthetic weights and inputs."""
