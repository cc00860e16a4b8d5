"""majiang, the JSON of a family of open-source programs: reader and writer."""
