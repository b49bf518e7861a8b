"""Every check kind: passing, failing, not to be examined, and the laws that hold for all of them."""
