// Bare Node, for the ratios of the start-up benchmark.
