"""A hand at one moment: what lies on the table, whose turn it is, and what each seat may do."""
