"""HTML pages: the report, and hands to step through."""
