"""What content/learning/05-neural-operators.mdx says of its sixteen networks, asked of the recording."""

from __future__ import annotations

from article import Article, recorded

says = Article("learning/05-neural-operators.mdx").says


def test_waves_and_width_both_matter() -> None:
    says("Here are sixteen networks, each trained from three seeds", "Step through three lengths of training")
    log = recorded("learning/operator_error")
    last = log[-1]
    assert len(log) == len(last["seeds"]) == 3 and last["error"].size == 16
    says("At the largest width, two waves leave an error of … and four waves one of …; sixteen waves come to …")
    two, four, _, sixteen = last["error"][3]
    assert two > 2 * four and four > sixteen
    says("Width matters as well: with four channels, sixteen waves leave …")
    assert last["error"][0, 3] > 2 * sixteen
