"""What needs scipy or numba: imported only by background jobs and management commands."""
