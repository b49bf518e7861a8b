"""Records -> what people read. Lays out, computes nothing; every foreign text is made harmless first."""
