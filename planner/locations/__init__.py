"""Where the servers should stand: user populations in, the fewest or cheapest data centres out."""
