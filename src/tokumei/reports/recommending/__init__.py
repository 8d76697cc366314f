"""Which method, which k, and can it be defended: methods that can meet the duties, tried on the table and ranked by a purpose."""
