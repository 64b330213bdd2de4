"""Learning from measurements: reading files of results, keeping them, and what they change."""
