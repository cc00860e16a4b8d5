"""Ratings of platforms: R, mean rank points, the rank at which they are 0, and chances of promotion."""
