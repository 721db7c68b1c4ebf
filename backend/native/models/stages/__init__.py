"""What torch.compile makes of a program, watched from the source to the assembly.

Reading order: `programs` is what is compiled, `watch` listens while it is; `marks` keeps the program's operations
on the whole way, `listings`, `guards` and `assembly` turn what comes along into lines, `toolchain` finds a C++
compiler for Inductor, `costs` measures, `calls` asks again with other shapes, `pictures` says it.
"""
