"""Physics, queueing networks and frozen machine tables in plain numpy: no Django, no database."""
