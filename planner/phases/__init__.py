"""The four phases of a plan: sampling, profiling, optimisation, validation with refinement. Plain JSON in and out."""
