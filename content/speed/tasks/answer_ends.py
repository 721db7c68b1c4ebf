"""Where an HTTP answer ends, by the length that its head says."""

STUB = '''
def answer_ends(received):
    """received: the characters so far. Returns how many the first answer takes, or None if it is not all there."""
    return len(received)
'''


def answer_ends(received):
    head, end, body = received.partition("\r\n\r\n")
    for line in head.lower().split("\r\n"):
        name, _, value = line.partition(":")
        if end and name == "content-length" and len(body) >= int(value):
            return len(head) + len(end) + int(value)
    return None


def cases():
    head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    yield (head + "hello",)
    yield (head + "hel",)
    yield (head[:-2],)
    yield (head + "hello" + head + "again",)
    yield ("HTTP/1.1 200 OK\r\ncontent-length:  0\r\nX: 7\r\n\r\n",)
    yield ("HTTP/1.1 200 OK\r\n\r\nhello",)


def head_only(received):
    """The head ends at the empty line. The answer goes on with its body."""
    place = received.find("\r\n\r\n")
    return None if place < 0 else place + 4


def all_there_is(received):
    """On a connection that is kept alive, the next answer may follow in the same bytes."""
    head, end, body = received.partition("\r\n\r\n")
    length = [int(line[15:]) for line in head.split("\r\n") if line.lower().startswith("content-length:")]
    return len(received) if end and length and len(body) >= length[0] else None


def exact_case(received):
    """Names of headers may be written in capitals or not."""
    head, end, body = received.partition("\r\n\r\n")
    length = [int(line[15:]) for line in head.split("\r\n") if line.startswith("Content-Length:")]
    return len(head) + 4 + length[0] if end and length and len(body) >= length[0] else None


MISTAKES = [head_only, all_there_is, exact_case]
