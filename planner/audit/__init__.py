"""The I/O audit: what a measured time series of I/O is made of, what it costs, and what would do without it."""
