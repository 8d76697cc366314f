"""Groups made better step by step."""
