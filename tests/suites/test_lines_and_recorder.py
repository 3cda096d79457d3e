"""What passes between the pytest process and its parent, and what a case hands over."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from nesproof.harness.evidence.model import CaseResult
from nesproof.harness.suite_run.lines import CaseLine, EndLine, LineFault, LineReader, ProblemLine, plain, write_line
from nesproof.harness.suite_run.recorder import Recorder, frame_file_name


def test_lines_come_back_as_they_were_written_and_only_once(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    reader = LineReader(path)
    assert list(reader.poll()) == []
    case = CaseLine(result=CaseResult(id="a", outcome="failed", message="first\nsecond", details={"n": 3}))
    write_line(path, case)
    assert list(reader.poll()) == [case]
    write_line(path, ProblemLine(text="p"))
    write_line(path, EndLine(exit_status=1, cases=1))
    assert [line.kind for line in reader.poll() if not isinstance(line, LineFault)] == ["problem", "end"]
    assert list(reader.poll()) == []


def test_half_a_line_waits_for_its_other_half(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    whole = EndLine(exit_status=0, cases=2).model_dump_json().encode() + b"\n"
    reader = LineReader(path)
    path.write_bytes(whole[:10])
    assert list(reader.poll()) == []
    assert reader.leftover_bytes == 10
    path.write_bytes(whole)
    assert list(reader.poll()) == [EndLine(exit_status=0, cases=2)]
    assert reader.leftover_bytes == 0


@given(st.binary(max_size=200).filter(lambda data: b"\n" not in data))
def test_any_other_line_is_a_fault_and_reading_goes_on(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("lines") / "results.jsonl"
    path.write_bytes(data + b"\n")
    write_line(path, ProblemLine(text="after"))
    *faults, last = LineReader(path).poll()
    assert all(isinstance(fault, LineFault) for fault in faults)
    assert last == ProblemLine(text="after")


def test_a_line_without_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"x" * 2_500_000)
    found = list(LineReader(path).poll())
    assert len(found) == 2
    assert all(isinstance(fault, LineFault) and len(str(fault)) <= 120 for fault in found)


def test_plain_text_cannot_steer_a_terminal_and_is_bounded() -> None:
    assert plain("a\x1b[31mb\x07\tc\n") == "ab\tc\n"
    assert len(plain("x" * 100_000)) <= 16_000


def test_file_names_are_safe_and_distinct() -> None:
    ids = ["a9 LDA #", "a9 LDA", "eye/x", "eye-x", "../../etc/passwd", "x" * 300, "(zp),Y"]
    names = [frame_file_name("suite", "subject", case_id) for case_id in ids]
    assert len(set(names)) == len(ids)
    for name in names:
        # The evidence document takes no other path.
        assert CaseResult(id="a", outcome="passed", frame=f"frames/{name}").frame is not None


def test_a_picture_is_kept_as_it_is(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "frames", "picture.png")
    rgb = np.arange(240 * 256 * 3, dtype=np.uint32).astype(np.uint8).reshape(240, 256, 3)
    recorder.frame(rgb)
    assert recorder.frame_path == "frames/picture.png"
    with Image.open(tmp_path / "frames" / "picture.png") as image:
        assert (np.asarray(image) == rgb).all()


@pytest.mark.parametrize("shape", [(240, 256), (240, 256, 4)])
def test_what_is_no_picture_is_refused(tmp_path: Path, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="A picture is uint8"):
        Recorder(tmp_path, "picture.png").frame(np.zeros(shape, dtype=np.uint8))


def test_details_become_plain_values() -> None:
    recorder = Recorder(None, "unused.png")
    recorder.detail("n", np.int64(7))  # type: ignore[arg-type]
    recorder.detail("text", "red \x1b[31mtext")
    assert recorder.details == {"n": 7, "text": "red text"}
    assert type(recorder.details["n"]) is int


def test_a_reproduction_lies_beside_the_pictures(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "frames", "case-1.png")
    assert recorder.reproduction('{"a": 1}') == recorder.reproduction_path == "reproductions/case-1.json"
    assert (tmp_path / "reproductions" / "case-1.json").read_text() == '{"a": 1}'
    by_hand = Recorder(None, "case-1.png")
    assert by_hand.reproduction("{}") is None
    assert by_hand.reproduction_path is None
