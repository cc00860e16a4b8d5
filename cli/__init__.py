"""The commands: options in, one call to the library, output out."""
