"""A report as one HTML file: readable without script, from disk, without network. Templates lay out."""
