"""Whether two subjects play alike: both play a workload's input from power-on, twice each, and are held together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nesproof.harness.compare.matching import (
    PictureMatch,
    RamMatch,
    counter_ahead,
    match_pictures,
    match_ram,
    match_states,
)
from nesproof.harness.compare.pictures import difference_png
from nesproof.harness.compare.playing import Played, Shown, play
from nesproof.harness.counting import counted
from nesproof.harness.evidence.comparison import BehaviourMatch
from nesproof.harness.judge.behaviour import counters_agree, pictures_by
from nesproof.harness.judge.order import Side
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["Behaviour", "Plays", "compare_behaviour"]

_BY_COLOUR = "Pictures are compared by colour, each one of a subject's standing for one of the other's throughout."


@dataclass(frozen=True)
class Behaviour:
    """How two subjects play, and a PNG of both pictures and their difference where their pictures differ."""

    match: BehaviourMatch
    picture: bytes | None


@dataclass
class Plays:
    """Plays of subjects, each made once however many comparisons rest on it."""

    resolver: Resolver
    log_dir: Path
    on_play: Callable[[str], None] = lambda _: None
    _kept: dict[tuple[str, str, Shown, int, int], Played] = field(default_factory=dict)

    def of(self, name: str, workload: Workload, shown: Shown, *, input_shift_frames: int = 0, again: int = 0) -> Played:
        """A subject's play; `again` numbers the processes in which the same is played.

        Raises:
            RomError, HarnessError: the cartridge or input cannot be had, or the subject did not play.
        """
        key = (name, workload.key, shown, input_shift_frames, again)
        if key not in self._kept:
            self._kept[key] = play(
                name,
                workload,
                self.resolver.read(workload.rom),
                workload.input_stream(resolver=self.resolver),
                shown=shown,
                input_shift_frames=input_shift_frames,
                log_path=self.log_dir / f"play-{name}.txt",
            )
            self.on_play(name)
        return self._kept[key]

    def repeats(self, name: str, workload: Workload, shown: Shown) -> bool:
        """True where a second process plays exactly what the first played."""
        return self.of(name, workload, shown).equals(self.of(name, workload, shown, again=1))


def compare_behaviour(
    candidate: str,
    baseline: str,
    workload: Workload,
    *,
    capabilities: tuple[frozenset[str], frozenset[str]],
    plays: Plays,
) -> Behaviour:
    """Play and hold together.

    A candidate whose frames end at another moment of the picture reads a frame's buttons at another moment of the game.
    So unless both are consoles that promise one moment, a candidate that differs plays again with its input shifted by
    as many frames as its RAM is, by one frame earlier, and by one later; the play nearest to the baseline counts.

    Raises:
        RomError, HarnessError: the cartridge or input cannot be had, or a subject did not play.
    """
    shown = _shown_by(*capabilities)
    theirs = plays.of(baseline, workload, shown)
    tried = [_Try(plays.of(candidate, workload, shown), theirs, shown)]
    if tried[0].differs and not shown.states:
        for shift in dict.fromkeys((tried[0].ram.shift_frames, 1, -1)):
            if shift:
                shifted = plays.of(candidate, workload, shown, input_shift_frames=shift)
                tried.append(_Try(shifted, theirs, shown, input_shift_frames=shift))
    best = max(tried, key=lambda one: one.nearness)
    names: dict[Side, str] = {"candidate": candidate, "baseline": baseline}
    unsteady = tuple(side for side, name in names.items() if not plays.repeats(name, workload, shown))
    return best.behaviour(workload, unsteady)


def _shown_by(candidate: frozenset[str], baseline: frozenset[str]) -> Shown:
    """What subjects with these capabilities both show."""
    both = candidate & baseline
    return Shown(
        ram="ram" in both,
        pictures=pictures_by(candidate, baseline),
        states="digest" in both,
        defined_at_power_on="power-on-fill" in both,
    )


class _Try:
    """One play of the candidate's beside the baseline's."""

    def __init__(self, mine: Played, theirs: Played, shown: Shown, *, input_shift_frames: int = 0) -> None:
        self._mine, self._theirs, self._shown = mine, theirs, shown
        self._input_shift_frames = input_shift_frames
        self.ram: RamMatch = match_ram(mine, theirs, shown)
        self.pictures: PictureMatch = match_pictures(mine, theirs, shown)

    @property
    def differs(self) -> bool:
        return "differs" in {self.ram.agreement, self.pictures.agreement}

    @property
    def nearness(self) -> int:
        return self.ram.frames_equal + self.pictures.frames_equal

    def behaviour(self, workload: Workload, unsteady: tuple[Side, ...]) -> Behaviour:
        ram, pictures = self.ram, self.pictures
        waited = self._mine.waited_frames, self._theirs.waited_frames
        states = match_states(self._mine, self._theirs, self._shown)
        ahead = counter_ahead(
            self._mine,
            self._theirs,
            address=workload.frame_counter_address,
            width=workload.frame_counter_bytes,
        )
        picture = None
        if pictures.differing is not None:
            mine, theirs = pictures.first_frames
            picture = difference_png(self._mine.rgb(mine), self._theirs.rgb(theirs), pictures.differing)
        match = BehaviourMatch(
            frames=workload.warmup_frames + workload.frames + min(waited),
            waited_frames=waited,
            shift_frames=ram.shift_frames,
            input_shift_frames=self._input_shift_frames,
            ram=ram.agreement,
            ram_frames_equal=None if ram.agreement == "not-shown" else ram.frames_equal,
            ram_sha256=ram.sha256,
            first_ram=ram.first,
            ram_beside_stack=ram.beside_stack,
            undefined_bytes=ram.undefined_bytes,
            pictures=pictures.agreement,
            pictures_by=self._shown.pictures,
            picture_shift_frames=pictures.shift_frames,
            picture_frames_equal=None if pictures.agreement == "not-shown" else pictures.frames_equal,
            first_picture=pictures.first,
            states=states.agreement,
            first_state_frame=states.first_frame,
            counter_ahead_frames=ahead,
            frame_counters=counters_agree(
                ahead, ram=ram.agreement, pictures=pictures.agreement, shift_frames=ram.shift_frames
            ),
            unsteady=unsteady,
            remark=_remark(self._shown, self._input_shift_frames, pictures.edge),
        )
        return Behaviour(match, picture)


def _remark(shown: Shown, input_shift_frames: int, edge: tuple[int, int, int, int]) -> str:
    sentences = []
    if shown.pictures == "colours":
        sentences.append(_BY_COLOUR)
    if any(edge):
        top, bottom, left, right = edge
        sentences.append(
            f"One of the two shows nothing at the edge: {top} rows at the top, {bottom} at the bottom, {left} columns "
            f"at the left and {right} at the right are left out."
        )
    if input_shift_frames:
        how = f"{counted(abs(input_shift_frames), 'frame')} {'earlier' if input_shift_frames > 0 else 'later'}"
        sentences.append(f"The candidate gets its input {how}, since its frames end at another moment.")
    return " ".join(sentences)
