"""Everything that people read: tables, pages, figures, terminal output."""
