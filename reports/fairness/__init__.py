"""Tests of the shuffle: what is counted of hands, what chance makes of it, and what follows."""
