"""Tables of what paifu derives: declarations alone, below the kernels that fill their rows."""
