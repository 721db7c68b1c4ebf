"""What content/learning/01-backpropagation.mdx says of its surface, asked of the recordings."""

from __future__ import annotations

from article import Article, recorded
from labs.learning.loss_surface import Params

says = Article("learning/01-backpropagation.mdx").says


def test_the_surface_of_a_stuck_network() -> None:
    says(
        "the weights from the first input to the two hidden units",
        "The other seven numbers have their values at the step that is shown",
    )
    assert Params().weights == "input 1 to both units" and (Params().first, Params().second) == (2, 0)
    last = recorded("learning/loss_surface")[-1]
    assert last["names"] == ["W1[0, 0]", "W1[0, 1]"] and last["right"] == 2
    says("no other point of the grid is lower than …: these two weights alone cannot get it out")
    assert last["least"] > 0.99 * last["here"]


def test_another_start_learns() -> None:
    says("From −2, with the other eight as before, the same 5,000 steps end at …, with all four points right")
    log = recorded("learning/loss_surface", "minus_two")
    assert log[0]["path"][0].tolist()[:2] == [-2, 0] and log[-1]["epochs"] == Params().epochs == 5000
    assert log[-1]["right"] == 4 and log[-1]["here"] < recorded("learning/loss_surface")[-1]["here"] / 50
    says("earlier points of the path lie above or below it")
