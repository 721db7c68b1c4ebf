"""Watch PyTorch compile: what its structured trace and its own hooks say, in the order in which it happens."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType
from typing import Any

import torch

from native.compilers.compile_stages import assembly, guards, listings
from native.models.stages import toolchain
from native.models.stages.marks import Operations, marking, replaced
from native.models.stages.pictures import Marks, Row

INDUCTOR = ("passes", "loops", "fused", "cpp", "assembly")
CONFIG = {
    "compile_threads": 2,
    "cpp.threads": 1,
    "cpp.vec_isa_ok": True,  # or a program is compiled to find out what the processor says itself
    "cpp_cache_precompile_headers": False,  # a header of 150 MB, for a run that ends after a few kernels
    "fx_graph_cache": False,
    "worker_start_method": "fork",
}


@dataclass(frozen=True)
class Heard:
    """Something that the compiler has done."""

    stage: str
    rows: list[Row]
    compilation: str
    """0/1 is the second compilation of the first piece of code."""
    backward: bool
    seconds: float
    """Since the call."""


@dataclass
class Watch:
    operations: Operations
    tools: toolchain.Toolchain
    folder: Path
    heard: queue.SimpleQueue[Heard | BaseException | None] = field(default_factory=queue.SimpleQueue)
    kernels: int = 0
    bytes: int = 0
    begun: float = 0.0
    half: dict[str, int] = field(default_factory=dict)
    """Of each compilation: how many graphs went to Inductor."""
    made: dict[str, Path] = field(default_factory=dict)
    """Assembly, by the C++ that it was made from."""
    awaited: list[tuple[Heard, dict[str, str]]] = field(default_factory=list)
    """Assembly that is being made: what will be said then, and the kernels."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    buffers: dict[str, Marks] = field(default_factory=dict)
    printed: dict[str, torch.fx.GraphModule] = field(default_factory=dict)
    now: str = ""

    def during(self, work: Callable[[], Any]) -> Iterator[Heard]:
        """What is heard while ``work`` is done elsewhere. Raises what it raises."""

        def live() -> None:
            try:
                with self.listening():
                    work()
                self.heard.put(None)
            except BaseException as error:
                self.heard.put(error)

        self.begun = time.perf_counter()
        threading.Thread(target=live, daemon=True).start()
        while (found := self.heard.get()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield found

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        import torch._inductor.async_compile as async_compile
        import torch._inductor.config as config
        import torch._inductor.cpp_builder as cpp_builder
        import torch._inductor.cpu_vec_isa as cpu_vec_isa
        import torch._inductor.debug as debug
        from torch._dynamo.convert_frame import register_bytecode_hook
        from torch._logging._internal import trace_log

        before = trace_log.handlers[:]
        trace_log.handlers[:] = [Ear(self)]
        hook = register_bytecode_hook(self.rewritten)  # type: ignore[arg-type]  # it may be nameless
        print_readable = torch.fx.GraphModule.print_readable

        def readable(module: torch.fx.GraphModule, *args: Any, **named: Any) -> str:
            text = print_readable(module, *args, **named)
            self.printed[text] = module
            return text

        with (
            config.patch(CONFIG | {"cpp.cxx": (None, self.tools.program)}),
            torch._functorch.config.patch(enable_autograd_cache=False),
            marking(self.operations),
            replaced(
                (torch.fx.GraphModule, "print_readable", readable),
                (debug, "log_ir_pre_fusion", lambda nodes: self.loops("loops", nodes)),
                (debug, "log_ir_post_fusion", lambda nodes: self.loops("fused", nodes)),
                (cpp_builder, "run_compile_cmd", self.compile),
                (async_compile, "_process_pool_allowed", lambda: False),
                # Nor are programs compiled to find out what the processor has beside the vectors.
                (cpu_vec_isa.VecISA, "check_build", lambda isa, code: False),
            ),
        ):
            try:
                yield
            finally:
                hook.remove()
                trace_log.handlers[:] = before

    def backend(self, module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        """Inductor, after a look at what Dynamo hands to it."""
        from torch._inductor.compile_fx import compile_fx

        self.now = str(torch._guards.CompileContext.current_compile_id())
        self.operations.mark(module.graph)
        self.say("graph", listings.graph(module, self.operations))
        return compile_fx(module, inputs)

    def say(self, stage: str, rows: list[Row]) -> None:
        self.heard.put(self.heard_as(stage, rows))

    def heard_as(self, stage: str, rows: list[Row]) -> Heard:
        backward = stage == "backward" or (stage in INDUCTOR and self.half.get(self.now, 0) > 1)
        return Heard(stage, rows, self.now, backward, time.perf_counter() - self.begun)

    def rewritten(self, code: CodeType, new: CodeType) -> None:
        self.say("rewritten", listings.bytecode(new, self.operations.first, self.operations.file))

    def loops(self, stage: str, nodes: Any) -> None:
        self.say(stage, listings.loops(nodes, self.operations))
        for node in nodes:
            for part in node.get_nodes():
                marks = listings.of_buffer(part.node, self.operations)
                self.buffers.update((name, marks) for name in part.get_buffer_names())
        if stage == "fused":
            self.bytes += sum(node.get_read_write_buffers_sizes() for node in nodes)

    def compile(self, line: str, cwd: str) -> None:
        text = toolchain.build(self.tools, line, self.folder)
        if text:
            with self.lock:
                self.made[text.with_suffix(".cpp").read_text()] = text
            self.finished()

    def take(self, metadata: dict[str, Any], payload: str) -> None:
        """One entry of the structured trace."""
        kind = next(iter(metadata))
        name = metadata[kind]["name"] if kind == "artifact" else kind
        if metadata.get("frame_id") is not None:
            self.now = f"{metadata['frame_id']}/{metadata['frame_compile_id']}"
        match name:
            case "aot_joint_graph" | "aot_forward_graph" | "aot_backward_graph" | "aot_inference_graph":
                stage = name.removeprefix("aot_").removesuffix("_graph").replace("inference", "forward")
                self.say(stage, listings.graph(self.printed[payload], self.operations))
            case "inductor_post_grad_graph":
                self.half[self.now] = self.half.get(self.now, 0) + 1
                self.say("passes", listings.graph(self.printed[payload], self.operations))
            case "inductor_output_code":
                self.written(payload)
            case "dynamo_cpp_guards_str":
                self.say("guards", guards.words(payload, self.operations))
            case "dynamo_graph_break_reason":
                self.say("break", guards.broken(payload, self.operations))
            case "recompile_reasons":
                self.say("again", guards.failed(payload))

    def written(self, text: str) -> None:
        """Inductor's code, before it is compiled."""
        self.say("cpp", listings.cpp(text, self.buffers))
        named = listings.kernels(text)
        self.kernels += len(named) + text.count("extern_kernels.", text.find("def call("))
        if named:
            with self.lock:
                self.awaited.append((self.heard_as("assembly", []), named))
            self.finished()

    def finished(self) -> None:
        """Say what was awaited and has been made by now; compilers run beside each other."""
        with self.lock:
            for each in self.awaited[:]:
                said, named = each
                found = {
                    name: next((made for made in self.made if code in made), "") for name, code in named.items()
                }
                if not all(found.values()):
                    continue
                self.awaited.remove(each)
                rows: list[Row] = []
                for name, code in found.items():
                    path = self.made[code]
                    rows += [Row(f"{name}:", head=True)]
                    rows += assembly.read(path.read_text(), code, path.with_suffix(".cpp"))
                self.heard.put(replace(said, rows=rows, seconds=time.perf_counter() - self.begun))


class Ear(logging.Handler):
    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch

    def emit(self, record: logging.LogRecord) -> None:
        self.watch.take(record.metadata, getattr(record, "payload", None) or "")  # type: ignore[attr-defined]
