"""Runs of the simulation: questions about workloads, their points, and what people see of them."""
