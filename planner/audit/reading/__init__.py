"""Reading time series of I/O as programs write them."""
