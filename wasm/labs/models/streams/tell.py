"""What a line did, in words."""

from __future__ import annotations

from labs.contract import Sentence, say
from labs.models.streams.device import Op
from labs.models.streams.language import Do
from labs.models.streams.pictures import Reading

NOT_READY = say("elapsed_time stops the program: the second event has not happened yet.")


def told(do: Do, ops: list[Op], took: int, waited: bool, *printed: Reading) -> Sentence:
    """``took`` µs of the host, in which it may have ``waited``; ``printed`` last."""
    match do.verb:
        case "kernel" | "kernel_" | "to_device" | "to_host":
            (op,) = ops
            what = {"kernel": "kernel", "to device": "copy to the device", "to host": "copy to the host"}[op.kind]
            if waited:
                words = "The {} for {} is launched, and the host waits until it has ended: {:,} µs."
                return say(words, what, op.label, took)
            words = "The {} for {} is in the queue of {}: the host goes on after {:,} µs."
            return say(words, what, op.label, op.stream, took)
        case "record":
            return say("{} will get its time stamp when {} reaches it.", do.target, do.names[0])
        case "wait_event":
            return say("{} will wait for {}, and the host goes on.", do.target, do.names[0])
        case "wait_stream":
            words = "{} will wait for everything in the queue of {}, and the host goes on."
            return say(words, do.target, do.names[0])
        case "synchronize":
            return say("The host waited {:,} µs for {}.", took, do.target or say("the device"))
        case "since":
            clock = printed[0]
            words = "The host’s clock shows {:,} µs, but the work is still running."
            return say(words if clock.running else "The host’s clock shows {:,} µs.", clock.us)
        case "elapsed_time":
            return say("The events are {:,} µs apart.", printed[0].us)
        case "read":
            return say("The host reads {}.", do.names[0])
        case "record_stream":
            return say("The allocator will wait for {} before it reuses the memory of {}.", do.names[0], do.target)
        case "del":
            return say("Nothing on the host holds {} any longer.", do.target)
        case "empty":
            return say("{} has memory, but nothing has written to it yet.", do.target)
        case "alias":
            return say("{} is another name for {}.", do.target, do.names[0])
        case "work":
            return say("The host was busy for {:,} µs with something else.", took)
        case _:
            return say("The host notes the time.")


def ended(op: Op) -> Sentence:
    what = {"kernel": "kernel", "to device": "copy to the device", "to host": "copy to the host"}[op.kind]
    return say("The {} for {} ends, {:,} µs after it began.", what, op.label, op.us)
