"""Tables for people: what a dataset holds, in words, under keys that are unique in it."""
