"""Chains of operations that read a tensor in another way: `chain` reads them, `follow` does them one by one."""
