"""What the board asks of one core of a processor."""

from __future__ import annotations

from collections.abc import Iterator

from labs.contract import Sentence, say
from labs.models.timing import Timing

from native.learning.int8_gemm import kernel, products, vectors
from native.learning.int8_gemm.names import PATIENCE, SQUARES, VECTORS, three
from native.learning.int8_gemm.products import Product
from native.learning.int8_gemm.vectors import Vector
from native.models.peak_kernel import reading_by
from native.models.products import peak
from native.models.timing import timed, together


class Processor:
    kind, vectors, squares = "processor", VECTORS, SQUARES

    def __init__(self, repetitions: int) -> None:
        self.repetitions = repetitions
        self.instruction = kernel.instruction()

    def time(self, work: kernel.Work) -> Timing:
        return timed(work, self.repetitions, PATIENCE)

    def peaks(self) -> list[float]:
        works = (peak(), kernel.peak(), kernel.peak(kernel.PAIRS))
        return [does / timed(work, 9, 0.03).least / 1e9 for work, does in works]

    def reads(self, size: int) -> float:
        work, count = reading_by(1, size)
        return count / self.time(work).least / 1e9

    def beside_reading(self, work: kernel.Work, size: int) -> tuple[Timing, float]:
        """In turns, so that both share the last cache: reading alone would find more of its bytes there."""
        reading, count = reading_by(1, size)
        taken, read = together((work, reading), self.repetitions, PATIENCE)
        return taken, count / read.median / 1e9

    def by_vector(self, n: int, seed: int) -> Iterator[Vector]:
        return vectors.each(n, seed)

    def by_matrix(self, n: int, bits: int, seed: int) -> Iterator[Product]:
        return products.each(n, bits, seed)

    def lacking(self, n: int) -> str:
        return products.lacking()

    def who(self, name: str, by: str) -> Sentence:
        return Sentence.plain(name)

    def about_roofs(self, peaks: list[float], bandwidth: float) -> Sentence:
        return say(
            "In registers: {:,g} billion float32 operations a second, "
            "{:,g} on bytes with {}; memory delivers {:,g} GB/s.",
            *(three(peaks[0]), three(peaks[1]), self.instruction, three(bandwidth)),
        )

    def about_product(self, who: Sentence, speed: float, share: float, error: float) -> Sentence:
        return say(
            "{}: {:,g} billion operations a second, {:,g} % of its roof; {:,g} % of the sums are wrong.",
            *(who, three(speed), three(100 * share), three(100 * error)),
        )
