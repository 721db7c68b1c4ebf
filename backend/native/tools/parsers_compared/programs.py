"""The same program four times: declared for argparse, optparse, click and typer.

Each takes its arguments and fills ``found`` with what its body gets; whatever else happens is the library's doing.
"""

from __future__ import annotations

import argparse
import optparse
from typing import Annotated, Any, Literal

import click
import typer

Found = dict[str, Any]


def with_argparse(arguments: list[str], found: Found) -> None:
    parser = argparse.ArgumentParser(prog="resize")
    parser.add_argument("images", nargs="+")
    parser.add_argument("-w", "--width", type=int, default=800)
    parser.add_argument("--shift", nargs=2, type=int)
    parser.add_argument("-v", "--verbose", action="count", default=0)
    parser.add_argument("--format", choices=["png", "webp"])
    found.update(vars(parser.parse_args(arguments)))


def with_optparse(arguments: list[str], found: Found) -> None:
    parser = optparse.OptionParser(prog="resize", usage="%prog [options] images")
    parser.add_option("-w", "--width", type="int", default=800)
    parser.add_option("--shift", nargs=2, type="int")
    parser.add_option("-v", "--verbose", action="count", default=0)
    parser.add_option("--format", type="choice", choices=["png", "webp"])
    options, images = parser.parse_args(arguments)
    if not images:  # it knows options alone
        parser.error("images are missing")
    found.update(vars(options), images=images)


def with_click(arguments: list[str], found: Found) -> None:
    @click.command()
    @click.argument("images", nargs=-1, required=True)
    @click.option("-w", "--width", type=int, default=800)
    @click.option("--shift", nargs=2, type=int)
    @click.option("-v", "--verbose", count=True)
    @click.option("--format", type=click.Choice(["png", "webp"]))
    def resize(**values: Any) -> None:
        found.update(values)

    resize.main(arguments, prog_name="resize")


def with_typer(arguments: list[str], found: Found) -> None:
    app = typer.Typer(rich_markup_mode=None, add_completion=False)  # texts without boxes and colours

    @app.command()
    def resize(
        images: list[str],
        width: Annotated[int, typer.Option("-w", "--width")] = 800,
        shift: Annotated[tuple[int, int] | None, typer.Option()] = None,
        verbose: Annotated[int, typer.Option("-v", "--verbose", count=True)] = 0,
        format: Annotated[Literal["png", "webp"] | None, typer.Option()] = None,
    ) -> None:
        found.update(images=images, width=width, shift=shift, verbose=verbose, format=format)

    typer.main.get_command(app).main(arguments, prog_name="resize")


PROGRAMS = {"argparse": with_argparse, "optparse": with_optparse, "click": with_click, "typer": with_typer}
