"""How every kernel is compiled: without the interpreter lock, and kept on disk for the next process."""

from typing import Any

import numba

compiled: Any = numba.njit(nogil=True, cache=True)
"""Decorator of a kernel; `py_func` of what it returns is the plain Python function."""
