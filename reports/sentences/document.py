"""A Markdown file with its marked places rendered; whatever lies outside them stays byte for byte."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from nesproof.harness.claims import Claim
from nesproof.harness.evidence import Evidence
from nesproof.reports.sentences.markers import MarkerFault, Place, find_places
from nesproof.reports.sentences.words import Words

__all__ = ["Rendering", "render_document"]


@dataclass(frozen=True)
class Rendering:
    """A file as registry and evidence make it."""

    text: str
    places: tuple[Place, ...]
    """Every marked place of the text that was given."""
    differing: tuple[Place, ...]
    """Those whose content was another."""


def render_document(
    text: str,
    *,
    name: str,
    claims: Mapping[str, Claim],
    published: Sequence[Evidence],
) -> Rendering:
    """Render the marked places of a Markdown text. What was rendered once is not changed by rendering it again.

    Args:
        text: the file's text, line ends as they are in it.
        name: the file's name, for messages.
        claims: the registry.
        published: the documents that may be quoted.

    Raises:
        MarkerFault: a malformed marker, a claim that does not exist, a glob that matches nothing.
    """
    words = Words(published)
    places = find_places(text, name=name)
    made, differing, kept_from = [], [], 0
    for place in places:
        content = _content(place, words, claims, name=name, newline=_newline(text, place))
        if content != text[place.start : place.end]:
            differing.append(place)
        made += [text[kept_from : place.start], content]
        kept_from = place.end
    return Rendering("".join((*made, text[kept_from:])), places, tuple(differing))


def _content(place: Place, words: Words, claims: Mapping[str, Claim], *, name: str, newline: str) -> str:
    lines = _lines(place, words, claims, name=name)
    if place.prefix is None:
        return lines[0]
    prefixed = (f"{place.prefix}{line}".rstrip() for line in lines)
    return newline + newline.join((*prefixed, place.prefix))


def _lines(place: Place, words: Words, claims: Mapping[str, Claim], *, name: str) -> list[str]:
    if place.kind == "claims":
        return words.table(_matching(place, claims, name=name))
    claim = claims.get(place.argument)
    if claim is None:
        near = difflib.get_close_matches(place.argument, list(claims), n=1)
        meant = f"did you mean {near[0]}?" if near else "`nesproof claims list` lists them."
        raise MarkerFault(f"{name}, line {place.line}: there is no claim {place.argument!r}; {meant}")
    if place.kind == "claim-value" and claim.at_least is None and claim.at_most is None:
        raise MarkerFault(f"{name}, line {place.line}: the claim {claim.id} promises no number.")
    makers: dict[str, Callable[[Claim], str]] = {
        "claim": words.claim,
        "claim-sentence": words.sentence,
        "claim-measured": words.measured,
        "claim-value": words.value,
    }
    return [makers[place.kind](claim)]


def _matching(place: Place, claims: Mapping[str, Claim], *, name: str) -> dict[str, Claim]:
    globs = place.argument.split()
    for glob in globs:
        if not any(fnmatchcase(claim_id, glob) for claim_id in claims):
            raise MarkerFault(
                f"{name}, line {place.line}: no claim matches {glob!r}; `nesproof claims list` lists them."
            )
    return {i: claim for glob in globs for i, claim in claims.items() if fnmatchcase(i, glob)}


def _newline(text: str, place: Place) -> str:
    """How the line of the opening comment ends."""
    end = text.find("\n", place.start)
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"
