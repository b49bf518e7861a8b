"""The one room that knows the order: it binds the others together and owns no decision of its own."""
