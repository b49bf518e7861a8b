"""The house keeps itself: layers, sizes, names, manners and docs, each check with a planted violation."""
