"""A text in a link: an example goes by its name, and comes back from it."""

from in_node import told
from labs.discover import find
from underhood.contract.schema import params_schema

EXAMPLES = {
    f"{lab.id}, {name}": shown
    for lab in find().values()
    for name, shown in params_schema(lab)["properties"].items()
    if shown.get("examples")
}


def test_every_example_comes_back_from_its_name() -> None:
    asked = [
        {
            "property": shown,
            "values": [*shown["examples"].values()],
            "texts": [f"@{each}" for each in shown["examples"]],
        }
        for shown in EXAMPLES.values()
    ]
    assert any(" " in text for each in asked for text in each["texts"])
    for name, each, said in zip(EXAMPLES, asked, told("properties.mjs", asked), strict=True):
        assert said["parsed"] == each["values"], name
        back = dict(zip(each["texts"], each["values"], strict=True))
        assert [back[text] for text in said["written"]] == each["values"], name


def test_what_is_no_example_is_refused_and_what_is_no_name_is_a_text() -> None:
    shown = {"title": "Program", "type": "string", "maxLength": 30, "examples": {"three loops": "for"}}
    texts = ["@three loops", "@three", "@constructor", "@a\nb", "x"]
    (said,) = told("properties.mjs", [{"property": shown, "values": [], "texts": texts}])
    assert said["parsed"] == ["for", None, None, "@a\nb", "x"]
