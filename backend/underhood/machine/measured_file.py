"""What a machine measured, as a file that travels: which lab, and which form."""

LAB = "speed/bench"
FORMAT = "underhood/bench/1"
"""Its last part is raised when a reader of older files would misread a newer one."""
