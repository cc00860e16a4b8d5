"""What people read: tables, pages, figures, lines for the terminal."""
