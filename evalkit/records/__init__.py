"""The nouns of evalkit: frozen records without I/O, clock or chance; every room knows them and no other room.

What people write (suite, case, arm, policy) is pydantic; what the harness writes (event, fact, verdict
...) is
msgspec. Import from the module that defines a record.
"""
