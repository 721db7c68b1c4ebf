"""What has to confine runs before somebody else's are taken."""

import pytest
from underhood.cli import main


@pytest.mark.parametrize("verb", [["serve"], ["worker"]])
def test_what_the_sandbox_lacks_is_refused_by_name(
    verb: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if verb == ["worker"]:
        monkeypatch.setenv("UNDERHOOD_REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("UNDERHOOD_SANDBOX", "rlimits,jail")
    assert main(verb) == 2
    assert "UNDERHOOD_SANDBOX names jail; layers are rlimits" in capsys.readouterr().err
    monkeypatch.setenv("UNDERHOOD_SANDBOX", "rlimits,seccomp")
    monkeypatch.setattr("underhood.confine.seccomp.deny_sockets", lambda but: False)  # as on a kernel without it
    assert main(verb) == 2
    assert "asks for seccomp, which this machine does not offer; it has rlimits" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("verb", "code"),
    [
        (["worker"], 2),
        (["serve", "--host", "0.0.0.0"], 2),
        (["serve", "--host", "192.0.2.1"], 2),
        (["serve", "--host", "::1"], 0),
        (["serve"], 0),
    ],
)
def test_nobody_serves_others_without_a_whole_sandbox_unawares(
    verb: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("underhood.web.app.serve", lambda *given, **named: asked.append("serve"))
    monkeypatch.setattr("underhood.workers.main.work", lambda *given: asked.append("worker") or 0)
    monkeypatch.setattr("underhood.confine.linux.hide", lambda: asked.append("hidden"))
    monkeypatch.setattr("underhood.confine.landlock.restrict", lambda readable, writable: False)
    if verb == ["worker"]:
        monkeypatch.setenv("UNDERHOOD_REDIS_URL", "redis://127.0.0.1:1/0")
    assert main(verb) == code
    said = capsys.readouterr().err
    assert "without landlock a run could read what this user may read" in said
    assert asked == ([] if code else ["hidden", "serve"])
    assert ("say so: UNDERHOOD_SANDBOX=rlimits,capabilities,seccomp" in said) == (code == 2)
    monkeypatch.setenv("UNDERHOOD_SANDBOX", "rlimits,capabilities")
    assert main(verb) == 0
    assert capsys.readouterr().err == ""
