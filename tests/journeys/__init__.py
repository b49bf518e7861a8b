"""Whole ways through the product, as a user walks them."""
