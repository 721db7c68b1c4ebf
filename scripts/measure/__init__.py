"""What the benchmark prints and the browser tests hold to a bar: each number is measured in one place."""
