"""Published documents: the very bytes, named by their hash; what must not be published is refused."""

from __future__ import annotations

import errno
import gzip
import hashlib
import lzma
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.evidence import published, publishing
from nesproof.harness.evidence.bundle import Bundle, seal
from nesproof.harness.evidence.falsification import Falsification, FaultRecord, PairRecord
from nesproof.harness.evidence.model import Evidence, RatioMeasurement, Source
from nesproof.harness.evidence.published import read_document, read_published, why_unpublishable
from nesproof.harness.evidence.publishing import publish_document
from nesproof.harness.evidence.reading import EvidenceInconsistent, EvidenceRefused
from nesproof.harness.judge import contradictions

CLEAN = Source(version="0.1.0", commit="ab" * 20, dirty=False, tree_sha256="d" * 64)


@pytest.fixture
def publishable(evidence: Evidence) -> Evidence:
    """The same run of a clean tree, whose claims name a fault each."""
    claims = tuple(
        record.model_copy(update={"claim": record.claim.model_copy(update={"killed_by": ("a-fault",)})})
        for record in evidence.claims
    )
    return evidence.model_copy(update={"source": CLEAN, "claims": claims})


def bundle_of(evidence: Evidence) -> Bundle:
    return seal(evidence, attachments={"logs/suite.txt": b"2 passed"}, reports={})


def test_the_document_is_the_bundles_own_and_is_named_by_its_hash(publishable: Evidence, tmp_path: Path) -> None:
    bundle = bundle_of(publishable)
    document = publish_document(bundle, tmp_path / "published")
    data = bundle.files["evidence.json"]
    assert gzip.decompress(document.path.read_bytes()) == data
    assert document.sha256 == hashlib.sha256(data).hexdigest()
    assert document.sha256 in bundle.files["manifest.json"].decode()
    assert document.path.name == f"2026-01-02T030405Z-{document.sha256[:16]}.json.gz"
    assert document.evidence == publishable
    assert read_published(tmp_path / "published") == (document,)


def test_equal_documents_give_equal_bytes(publishable: Evidence, tmp_path: Path) -> None:
    first = publish_document(bundle_of(publishable), tmp_path / "one")
    second = publish_document(bundle_of(publishable), tmp_path / "two")
    assert first.path.read_bytes() == second.path.read_bytes()
    assert first.path.read_bytes()[4:8] == bytes(4), "no moment of packing"


def test_what_is_there_is_not_written_again(publishable: Evidence, tmp_path: Path) -> None:
    document = publish_document(bundle_of(publishable), tmp_path)
    before = document.path.stat()
    assert publish_document(bundle_of(publishable), tmp_path) == document
    assert document.path.stat().st_mtime_ns == before.st_mtime_ns
    assert document.path.stat().st_ino == before.st_ino


def test_two_at_once_leave_one_whole_document(publishable: Evidence, tmp_path: Path) -> None:
    bundle = bundle_of(publishable)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: publish_document(bundle, tmp_path), range(16)))
    assert len({document.path for document in found}) == 1
    assert [path.name for path in tmp_path.iterdir()] == [found[0].path.name]


def test_a_full_disk_leaves_earlier_documents_and_nothing_half_written(
    publishable: Evidence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = publish_document(bundle_of(publishable), tmp_path)
    kept = earlier.path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("nesproof.harness.whole_file.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        publish_document(bundle_of(publishable.model_copy(update={"duration_s": 9.0})), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [earlier.path.name]
    assert earlier.path.read_bytes() == kept


# --- What must not be published --------------------------------------------------------------------------------------


def busy(evidence: Evidence) -> Evidence:
    suite, timed, other = evidence.claims
    assert isinstance(timed.measurement, RatioMeasurement)
    load = timed.measurement.load.model_copy(update={"busy": True, "overridden": True, "other_cpu_share": 0.9})
    timed = timed.model_copy(update={"measurement": timed.measurement.model_copy(update={"load": load})})
    return evidence.model_copy(update={"claims": (suite, timed, other)})


def unproven(evidence: Evidence) -> Evidence:
    first = evidence.claims[0]
    bare = first.model_copy(update={"claim": first.claim.model_copy(update={"killed_by": ()})})
    return evidence.model_copy(update={"claims": (bare, *evidence.claims[1:])})


REFUSED: dict[str, tuple[Callable[[Evidence], Evidence], str]] = {
    "dirty": (lambda e: e.model_copy(update={"source": CLEAN.model_copy(update={"dirty": True})}), "uncommitted"),
    "no commit": (lambda e: e.model_copy(update={"source": CLEAN.model_copy(update={"commit": None})}), "no commit"),
    "unknown": (lambda e: e.model_copy(update={"source": CLEAN.model_copy(update={"dirty": None})}), "no commit"),
    "fixture": (lambda e: e.model_copy(update={"fixture": "for a test"}), "made up"),
    "interrupted": (lambda e: e.model_copy(update={"interrupted": True}), "interrupted"),
    "busy": (busy, "busy machine"),
    "unproven": (unproven, "UNPROVEN"),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_must_not_be_published_is_refused(publishable: Evidence, tmp_path: Path, name: str) -> None:
    change, says = REFUSED[name]
    bundle = bundle_of(change(publishable))
    with pytest.raises(ConfigurationError, match=says) as caught:
        publish_document(bundle, tmp_path / "published")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "published").exists()


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_put_there_by_hand_it_is_refused_when_read(
    publishable: Evidence, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as lenient:
        lenient.setattr(publishing, "why_unpublishable", lambda evidence: None)
        publish_document(bundle_of(REFUSED[name][0](publishable)), tmp_path)
    with pytest.raises(EvidenceRefused, match="must not be among"):
        read_published(tmp_path)


def test_a_claim_whose_faults_were_planted_in_vain_is_unproven(publishable: Evidence) -> None:
    pair = PairRecord(fault="a-fault", claim="cpu.test", outcome="survived", verdict=Verdict.PASS, reason="It holds.")
    fault = FaultRecord(id="a-fault", sentence="A flag is forgotten.", area="cpu", means="hook")
    planted = publishable.model_copy(update={"falsification": Falsification(faults=(fault,), pairs=(pair,))})
    assert why_unpublishable(planted) == (
        "cpu.test is UNPROVEN: no planted fault is known to make it fail; those it names left it as it was."
    )


def test_a_claim_that_was_not_measured_may_be_unproven(publishable: Evidence) -> None:
    *measured, last = publishable.claims
    assert last.measurement is None
    bare = last.model_copy(update={"claim": last.claim.model_copy(update={"killed_by": ()})})
    assert why_unpublishable(publishable.model_copy(update={"claims": (*measured, bare)})) is None


def test_where_gzip_is_too_large_xz_takes_its_place(
    publishable: Evidence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = bundle_of(publishable)
    limit = len(publish_document(bundle, tmp_path / "gz").path.read_bytes()) - 1
    for module in (published, publishing):
        monkeypatch.setattr(module, "PUBLISHED_LIMIT_BYTES", limit)
    document = publish_document(bundle, tmp_path / "xz")
    assert document.path.name.endswith(".json.xz")
    assert lzma.decompress(document.path.read_bytes()) == bundle.files["evidence.json"]
    assert read_published(tmp_path / "xz") == (document,)
    with pytest.raises(EvidenceRefused, match="larger than"):
        read_published(tmp_path / "gz")
    monkeypatch.setattr(publishing, "PUBLISHED_LIMIT_BYTES", 10)
    with pytest.raises(ConfigurationError, match="at most 10 are published"):
        publish_document(bundle, tmp_path / "none")


# --- Hostile ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def document_path(publishable: Evidence, tmp_path: Path) -> Path:
    return publish_document(bundle_of(publishable), tmp_path / "published").path


def test_another_document_under_the_name_is_caught(document_path: Path) -> None:
    data = gzip.decompress(document_path.read_bytes())
    document_path.write_bytes(gzip.compress(data.replace(b'"duration_s": 1.5', b'"duration_s": 1.4')))
    with pytest.raises(EvidenceInconsistent, match="another document than its name says"):
        read_document(document_path)


def test_a_name_that_says_another_moment_is_caught(document_path: Path) -> None:
    other = document_path.with_name(document_path.name.replace("2026-01-02", "2027-01-02"))
    with pytest.raises(EvidenceInconsistent):
        read_document(document_path.rename(other))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data + b"more",
        lambda data: data + data,
        lambda data: b"",
        lambda data: b"{}",
        lambda data: gzip.compress(b"[]"),
        lambda data: gzip.compress(b"{" * 50_000),
        lambda data: gzip.compress(b" " * (40 << 20)),
        lambda data: bytes(100_001),
    ],
)
def test_damage_and_bombs_are_refused_in_one_sentence(document_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    document_path.write_bytes(spoil(document_path.read_bytes()))
    with pytest.raises(EvidenceRefused) as caught:
        read_published(document_path.parent)
    assert "\n" not in str(caught.value)


def test_an_xz_that_wants_much_memory_is_refused(document_path: Path) -> None:
    filters: list[dict[str, Any]] = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 160 << 20}]
    other = document_path.with_name(document_path.name.replace(".gz", ".xz"))
    other.write_bytes(lzma.compress(b"{}", filters=filters))
    with pytest.raises(EvidenceRefused, match="damaged"):
        read_document(other)


@pytest.mark.parametrize("name", ["evidence.json.gz", "a.json.gz", "2026-01-02T030405Z-0000.json.gz"])
def test_other_names_are_refused(document_path: Path, name: str) -> None:
    document_path.rename(document_path.with_name(name))
    with pytest.raises(EvidenceRefused, match="no name of a published document"):
        read_published(document_path.parent)


def test_links_and_the_same_twice_are_refused(document_path: Path, tmp_path: Path) -> None:
    data = gzip.decompress(document_path.read_bytes())
    twin = document_path.with_name(document_path.name.replace(".gz", ".xz"))
    twin.write_bytes(lzma.compress(data))
    with pytest.raises(EvidenceRefused, match="the same document"):
        read_published(document_path.parent)
    twin.unlink()
    moved = shutil.move(document_path, tmp_path / document_path.name)
    document_path.symlink_to(moved)
    with pytest.raises(EvidenceRefused):
        read_published(document_path.parent)


def test_other_files_are_passed_over(document_path: Path) -> None:
    (document_path.parent / "README.md").write_text("What lies here.")
    (document_path.parent / ".half.json.gz").write_text("x")
    assert len(read_published(document_path.parent)) == 1


def test_no_folder_holds_nothing(tmp_path: Path) -> None:
    assert read_published(tmp_path / "nowhere") == ()


# --- What this project publishes -------------------------------------------------------------------------------------

PUBLISHED = Path(str(files("nesproof.reports") / "published"))


def test_what_the_project_publishes_is_readable_and_follows_from_its_samples() -> None:
    documents = read_published(PUBLISHED)
    for document in documents:
        assert document.path.stat().st_size <= 100_000
        # The judge's sentences may have been reworded since; its verdicts and figures may not.
        found = [c for c in contradictions(document.evidence) if not c.is_of_words]
        assert found == [], document.path.name


def test_nothing_else_lies_among_what_is_published() -> None:
    if not PUBLISHED.is_dir():
        pytest.skip("nothing is published yet")
    others = {path.name for path in PUBLISHED.iterdir()} - {d.path.name for d in read_published(PUBLISHED)}
    assert others <= {"README.md"}


def test_nothing_is_refused_without_a_remedy_or_a_reason(publishable: Evidence) -> None:
    for change, _ in REFUSED.values():
        reason = why_unpublishable(change(publishable))
        assert reason is not None
        assert reason.endswith(".")
    assert why_unpublishable(publishable) is None
    assert issubclass(EvidenceRefused, HarnessError)
