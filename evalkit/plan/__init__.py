"""Suite x arms x trials -> plan: what a run owes, in which order, and what the world will be asked."""
