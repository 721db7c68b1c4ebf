"""Training steps that ask an allocator for memory: requests, segments and blocks, and pictures of them."""
