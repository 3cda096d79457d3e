"""The registry: every claim that ships (`*.toml` beside this file), and those of further files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

if sys.version_info >= (3, 11):
    from importlib.resources.abc import Traversable
else:
    from importlib.abc import Traversable
from pathlib import Path

from pydantic import ValidationError

from nesproof.harness.claims.model import Claim
from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.text_file import read_text_file

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Registry", "load_claims", "parse_claims"]


class Registry(Mapping[str, Claim]):
    """Claims by id, in the order of their files; an id occurs once."""

    def __init__(self, claims: Sequence[tuple[str, Claim]]) -> None:
        self._claims: dict[str, Claim] = {}
        self._origins: dict[str, str] = {}
        for origin, claim in claims:
            if claim.id in self._claims:
                first = self._origins[claim.id]
                places = origin if first == origin else f"{first} and {origin}"
                raise ConfigurationError(f"Two claims have the id {claim.id} ({places}); rename one of them.")
            self._claims[claim.id] = claim
            self._origins[claim.id] = origin

    def __getitem__(self, claim_id: str) -> Claim:
        """The claim of this id; KeyError where there is none."""
        return self._claims[claim_id]

    def __iter__(self) -> Iterator[str]:
        """Ids, in order."""
        return iter(self._claims)

    def __len__(self) -> int:
        """How many claims there are."""
        return len(self._claims)

    def origin(self, claim_id: str) -> str:
        """The name of the file that holds the claim."""
        return self._origins[claim_id]


def parse_claims(text: str, *, origin: str) -> list[Claim]:
    """The claims of one TOML document: an array of tables called `claim`.

    Raises:
        ConfigurationError: not TOML, an unknown table, or a claim with a field missing, unknown or out of range;
            the message is one sentence that names file, claim and field.
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:  # a number of 5,000 digits, brackets of that depth
        raise ConfigurationError(f"The claims file {origin} is not valid TOML: {fault}.") from fault
    tables = document.pop("claim", None)
    if document:
        raise ConfigurationError(
            f"The claims file {origin} has an unknown table {sorted(document)[0]!r}; [[claim]] is known."
        )
    if not isinstance(tables, list) or not tables:
        raise ConfigurationError(f"The claims file {origin} holds no [[claim]]; `nesproof claims new` writes one.")
    return [_parse_claim(table, number=number, origin=origin) for number, table in enumerate(tables, start=1)]


def _parse_claim(table: object, *, number: int, origin: str) -> Claim:
    name = table.get("id", f"number {number}") if isinstance(table, dict) else f"number {number}"
    try:
        claim = Claim.model_validate(table)
    except ValidationError as fault:
        raise ConfigurationError(f"The claims file {origin}, claim {name}: {first_fault(fault)}.") from fault
    if claim.id != claim.base_id:
        raise ConfigurationError(
            f"The claims file {origin}, claim {name}: what follows an @ names the subject of a run, and no claim."
        )
    return claim


def load_claims(extra: Sequence[Path] = ()) -> Registry:
    """Every claim that ships, then those of `extra` (files, or folders of `*.toml`).

    Raises:
        ConfigurationError: a file cannot be read or is malformed, or two claims have one id.
    """
    found: list[tuple[str, Claim]] = []
    shipped = files("nesproof.harness.claims")
    for entry in sorted(shipped.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            found += _read(entry, entry.name)
    for path in extra:
        members = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not members:
            raise ConfigurationError(f"The folder {path} holds no claims (*.toml); name one that does, or a file.")
        for member in members:
            found += _read(member, member.name)
    return Registry(found)


def _read(entry: Traversable, origin: str) -> list[tuple[str, Claim]]:
    text = read_text_file(entry, what=f"The claims file {origin}")
    return [(origin, claim) for claim in parse_claims(text, origin=origin)]
