"""The contest between packages: who succeeds, crashes, hangs, or breaks the promise is told as such. Nothing is installed here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from benchmarks import stored
from benchmarks.peers import __main__ as command
from benchmarks.peers import environments
from benchmarks.peers.contest import Entrant, Limits, compete, one
from benchmarks.peers.environments import PEERS, Environment, Peer, environment
from benchmarks.peers.inputs import Input, census, written
from benchmarks.peers.job_checks import compared
from benchmarks.peers.judge import judged

HERE = Environment(Path(sys.executable), {"fake": "1"})
SIDE = """
import sys, time

def good(request):
    return lambda: sum(range(request["size"])), lambda total, folder: {"total": total}

def crash(request):
    def work():
        raise ValueError("no such thing")
    return work, None

def hang(request):
    return lambda: time.sleep(600), None

def spin(request):
    def work():
        while True:
            pass
    return work, None

def greedy(request):
    return lambda: bytearray(2**40), None

def broken(request):
    def told(_, folder):
        (folder / "released.csv").write_text("age,sex,income,count\\n20-29,Female,high,4\\n30-39,Male,low,1\\n")
        return {}
    return lambda: None, told
"""


@pytest.fixture
def side(tmp_path: Path) -> Path:
    path = tmp_path / "side.py"
    path.write_text(SIDE, encoding="utf-8")
    return path


@pytest.fixture
def five(tmp_path: Path) -> Input:
    frame = pd.DataFrame({"age": [20, 25, 29, 29, 39], "sex": list("FFFFM"), "income": ["low"] * 3 + ["high"] * 2})
    return written("five", frame, ["age", "sex"], "income", tmp_path)


def entrant(side: Path, job: str) -> Entrant:
    return Entrant(job, HERE, side, job)


def test_who_succeeds_has_ratios_to_the_first(side: Path, tmp_path: Path) -> None:
    slow = Entrant("slow", HERE, side, "good", {"size": 60_000_000})
    asked = {"size": 10_000_000}  # long enough for a clock that counts hundredths of a second
    first, second = compete([entrant(side, "good"), slow], asked, Limits(20, rounds=2), tmp_path)
    assert first.failure is None
    assert first.ratio == 1
    assert len(first.runs) == len(second.runs) == 2
    assert second.facts == {"total": sum(range(60_000_000))}
    assert second.ratio is not None
    assert second.ratio > 1.5
    seconds, ratio, spread, whole, peak = second.costs()
    assert ratio == second.ratio
    assert spread is not None and spread >= 0
    assert seconds > 0 and whole > 0  # type: ignore[operator]  # by two clocks, which do not compare
    assert peak is not None and peak > 1


@pytest.mark.parametrize(
    ("job", "told"),
    [
        ("crash", "failed: ValueError: no such thing"),
        ("spin", "stopped after 1 s"),
        ("greedy", "ran out of 2 GiB"),
        ("missing", "failed: AttributeError: module 'side' has no attribute 'missing'"),
    ],
)
def test_who_fails_is_told_as_such_and_not_asked_again(
    side: Path, tmp_path: Path, job: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.peers.contest.PATIENCE", 600.0)  # a busy machine gives a second of it in many
    others = compete([entrant(side, "good"), entrant(side, job)], {"size": 300_000}, Limits(1, 2 * 2**30, 2), tmp_path)
    assert others[0].failure is None
    failed = others[1]
    assert failed.failure == told
    assert len(failed.runs) == 1
    assert failed.ratio is None
    assert failed.costs() == [None] * 5


def test_who_hangs_is_ended(side: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.peers.contest.PATIENCE", 1.0)
    run = one(entrant(side, "hang"), {}, Limits(1.0), tmp_path / "run")
    assert run.failure == "hung: nothing came in 1 s"


def test_who_could_not_be_installed_does_not_run(side: Path, tmp_path: Path) -> None:
    gone = Entrant("gone", Environment(Path("nowhere"), {}, "could not be installed: why"), side, "good")
    assert one(gone, {}, Limits(), tmp_path).failure == "could not be installed: why"


def test_a_table_without_k_is_seen(side: Path, five: Input, tmp_path: Path) -> None:
    (outcome,) = compete([entrant(side, "broken")], {}, Limits(20, rounds=1), tmp_path)
    assert outcome.failure is None
    found = judged(outcome.folder / "released.csv", five, {"k": 2}, listed=True)
    assert found.k == 1
    assert found.broken({"k": 2}) == "not kept: k is 1"
    assert found.broken({"k": 1, "l": 2}) == "not kept: l is 1"
    assert found.broken({"k": 1, "t": 0.5}) == "not kept: t is 0.800"
    assert found.broken({"k": 1}) is None
    assert found.share == pytest.approx(0.8)


def test_another_meaning_of_t_is_told(five: Input, tmp_path: Path) -> None:
    path = tmp_path / "released.csv"
    rows = [("20-29", value) for value in "aabb"] + [("30-39", value) for value in "bbcd"]
    pd.DataFrame(rows, columns=["age", "income"]).assign(sex="F").to_csv(path, index=False)
    found = judged(path, five, {"k": 4}, listed=True)
    assert (found.t, found.share) == (0.25, 0.25)
    pd.DataFrame([("20-29", v) for v in "abcd"] + [("30-39", v) for v in "efgh"], columns=["age", "income"]).assign(
        sex="F"
    ).to_csv(path, index=False)
    found = judged(path, five, {"k": 4}, listed=True)
    assert (found.t, found.share) == (0.5, 0.125)
    assert found.broken({"k": 4, "t": 0.2}) == "not kept: t is 0.500, though no share differs by more"


def test_both_ways_to_write_cells_are_judged_alike(five: Input, tmp_path: Path) -> None:
    listed, ours = tmp_path / "listed.csv", tmp_path / "ours.csv"
    listed.write_text('age,sex,income,count\n20-29,F,low,3\n39,"F,M",high,1\n', encoding="utf-8")
    rows = ['"[20, 29]",F,low'] * 3 + ['39,"[F, M]",high']
    ours.write_text("age,sex,income\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = [judged(path, five, {"k": 1}, listed=way) for path, way in ((listed, True), (ours, False))]
    assert found[0] == found[1]
    assert found[0].missing == 1
    # ages run from 20 to 39: three rows leave 9 of 19 open; one leaves the other sex open; one is missing
    assert found[0].loss == pytest.approx((3 * (9 / 19) / 2 + 0.5 + 1) / 5)
    assert found[0].discernibility == 9 + 1 + 5
    assert found[0].classes == 2


def test_labels_of_trees_are_judged_by_their_leaves(tmp_path: Path) -> None:
    given = census(200, tmp_path, ["region", "sex"])
    path = tmp_path / "released.csv"
    given.frame().assign(region="City group", sex="*").to_csv(path, index=False)
    found = judged(path, given, {"k": 2, "trees": True}, listed=False)
    assert found.loss == pytest.approx((1 / 7 + 1) / 2)
    assert found.k == 200


def test_the_table_that_is_handed_over_keeps_words_that_look_like_nothing(tmp_path: Path) -> None:
    given = census(500, tmp_path)
    assert "None" in given.request["domains"]["education"]
    assert not given.frame().isna().any().any()
    assert len(given.frame()) == given.rows == 500


def test_an_environment_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []

    def fake(line: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(line)
        if "venv" in line:
            Path(line[-1]).mkdir(parents=True)
        return subprocess.CompletedProcess(line, 0, stdout=json.dumps({"thing": "1.2"}), stderr="")

    monkeypatch.setattr(environments.subprocess, "run", fake)
    peer = Peer("thing", ("thing==1.2",), "MIT", ("thing",))
    first, again = environment(peer, tmp_path), environment(peer, tmp_path)
    assert first == again
    assert first.versions == {"thing": "1.2"}
    assert len(ran) == 3
    assert environment(Peer("thing", ("thing==1.3",), "MIT", ("thing",)), tmp_path).python != first.python


def test_what_cannot_be_installed_is_told_in_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fake(line: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        bad = "pip" in line
        return subprocess.CompletedProcess(
            line, int(bad), stdout="", stderr="WARNING: this\nERROR: No such version\n\n"
        )

    monkeypatch.setattr(environments.subprocess, "run", fake)
    found = environment(Peer("thing", ("thing==9",), "MIT", ("thing",)), tmp_path)
    assert found.failure == "could not be installed: ERROR: No such version"


def test_every_peer_is_pinned_or_is_ours() -> None:
    for peer in PEERS.values():
        assert all("==" in requirement for requirement in peer.requirements)
        assert peer.licence or peer.name == "tokumei"
    assert environment(PEERS["scikit-learn"]).python == Path(sys.executable)


def test_what_got_slower_against_a_peer_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "RESULTS", tmp_path)

    def table(ratio: float) -> stored.Table:
        return stored.Table(
            ["table", "package", "× ours", "spread"], [["t", "other", ratio, 0.1], ["t", "gone", None, None]]
        )

    assert command.earlier("peers_x") == {}
    assert command.slower(None, table(1.0)) == []
    stored.store("peers_x", {"a": table(10.0)}, command="c", versions_of={"other": "2"})
    before = command.earlier("peers_x")["a"]
    assert command.slower(before, table(9.0)) == []
    assert command.slower(before, table(5.0)) == ["t / other: 5.00 times ours, and 10.00 when stored"]
    assert json.loads((tmp_path / "peers_x.json").read_text(encoding="utf-8"))["versions"] == {"other": "2"}


def test_measures_that_differ_are_told_apart() -> None:
    assert compared("k", 3, 3.0)[-1] == "yes"
    assert compared("l", 2.7, 2.0)[-1] == "rounded down"
    assert compared("t", 0.5, 0.4)[-1] == "no"
    assert compared("delta", None, 1.5) == ["delta", "infinite", "1.5000", "no"]


def test_all_jobs_are_found() -> None:
    jobs = ["baselines", "checks", "complete_rows", "diverse", "full_domain", "mondrian", "response", "several"]
    assert command.names() == jobs
