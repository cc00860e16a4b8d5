"""Where logs come from: files, folders, patterns, archives, databases, a pipe."""
