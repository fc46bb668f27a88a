"""What ``bin/benchmark speed`` is made of: one module a section, and what they share."""
