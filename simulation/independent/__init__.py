"""The kernels' networks once more, in SimPy and in plain Python: slow, and independent of them.

Tests and the benchmark hold the kernels against these. SimPy is installed for work on the product, not to run it.
"""
