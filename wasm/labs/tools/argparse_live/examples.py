"""Parsers and command lines to begin with."""

PARSERS = {
    "resize": """\
parser = ArgumentParser(prog="resize")
parser.add_argument("images", nargs="+")
parser.add_argument("-w", "--width", type=int, default=800)
parser.add_argument("--shift", nargs=2, type=int)
parser.add_argument("-v", "--verbose", action="count", default=0)
parser.add_argument("--format", choices=["png", "webp"])
""",
    "greedy": """\
parser = ArgumentParser(prog="pack")
parser.add_argument("files", nargs="*")
parser.add_argument("target")
parser.add_argument("--skip", nargs="*", default=[])
""",
    "subcommands": """\
parser = ArgumentParser(prog="depot")
parser.add_argument("--level", type=int, default=1)
commands = parser.add_subparsers(dest="command", required=True)
add = commands.add_parser("add")
add.add_argument("paths", nargs="+")
add.add_argument("--level", type=int, default=5)
drop = commands.add_parser("drop")
drop.add_argument("path")
drop.add_argument("-f", "--force", action="store_true")
""",
    "numbers": """\
parser = ArgumentParser(prog="lines")
parser.add_argument("-1", dest="single", action="store_true")
parser.add_argument("--by", type=int)
parser.add_argument("start", type=int)
""",
    "booleans": """\
parser = ArgumentParser(prog="train")
parser.add_argument("--shuffle", type=bool, default=True)
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--cache", action=BooleanOptionalAction, default=True)
""",
    "one of two": """\
parser = ArgumentParser(prog="copy", allow_abbrev=False)
either = parser.add_mutually_exclusive_group(required=True)
either.add_argument("--fast", action="store_true")
either.add_argument("--safe", action="store_true")
parser.add_argument("-n", "--name", required=True)
parser.add_argument("--tag", action="append")
parser.add_argument("--version", action="version", version="%(prog)s 2.1")
""",
}
LINES = {
    "resize": '-vv --wid 640 "first photo.png" --shift -3 12 second.png',
    "images together": '-vv --wid 640 --shift -3 12 "first photo.png" second.png',
    "quoted otherwise": "-vv --wid 640 'first photo.png' --shift -3 12 second\\.png",
    "behind two dashes": "-v -- -old.png",
    "a wrong number": "first.png --width wide",
    "help": "--help",
    "subcommand": "--level 3 add a.txt b.txt",
    "greedy": "a.txt --skip b.txt out",
    "number": "--by -3 5",
    "false": "--shuffle False",
    "neither": "-n x",
    "nothing": "",
}
