"""What torch.compile made of a program, as labs show it: `marks` keeps the program's operations on the whole way,
`pictures` says what was made, `toolchain` finds a C++ compiler for Inductor.
"""
