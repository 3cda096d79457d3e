"""The invented run's planted faults: every outcome, every area of the matrix, a fault that a second suite sees."""

from __future__ import annotations

from nesproof.harness.claims import Verdict
from nesproof.harness.evidence.falsification import (
    Control,
    Falsification,
    FaultRecord,
    HookBuild,
    PairRecord,
    SoleKiller,
    faulty_name,
)
from nesproof.harness.evidence.model import CaseResult, SuiteMeasurement, SuiteRun

FAULTS = (
    FaultRecord(id="adc-forgets-carry", sentence="ADC adds without the carry flag.", area="cpu", means="hook",
                only_suite="klaus"),
    FaultRecord(id="branch-page-cycle-dropped", sentence="A branch to another page takes no extra cycle.", area="cpu",
                means="hook"),
    FaultRecord(id="nmi-an-instruction-late", sentence="NMI is seen an instruction late.", area="ppu", means="hook"),
    FaultRecord(id="judge-always-passes", sentence="The judge passes whatever it is shown.", area="harness",
                means="judge"),
)  # fmt: skip


def killed(fault: str, claim: str, case: str, said: str) -> PairRecord:
    return PairRecord(
        fault=fault, claim=claim, outcome="killed", verdict=Verdict.FAIL, reason=f"1 case failed: {case}.", case=case,
        assertion=said, duration_s=0.84, measurement=SuiteMeasurement(run=f"klaus.{faulty_name('reference', fault)}"),
    )  # fmt: skip


def sample_falsification() -> Falsification:
    survived = PairRecord(
        fault="branch-page-cycle-dropped", claim="cpu.single-step", outcome="survived", verdict=Verdict.PASS,
        reason="All 5 cases passed.", duration_s=1.02,
        measurement=SuiteMeasurement(run="single_step.reference-with-branch-page-cycle-dropped"),
    )  # fmt: skip
    broken = PairRecord(
        fault="judge-always-passes", claim="state.determinism", outcome="broken", verdict=Verdict.ERROR,
        reason="2 cases left no result: replay, snapshot. The subject did not start.", duration_s=0.4,
        measurement=SuiteMeasurement(run="determinism.reference-with-judge-always-passes"),
    )  # fmt: skip
    not_tried = PairRecord(
        fault="nmi-an-instruction-late", claim="ppu.hardware-roms", outcome="not-tried",
        reason="The claim does not stand with no fault on (FAIL), so that its failing proves nothing.",
    )  # fmt: skip
    return Falsification(
        hooks=HookBuild(key="b073e609ac61777a4c0f3e90a7d10a39c6e77a87", sources_sha256="ab" * 32, was_cached=True),
        faults=FAULTS,
        controls=(
            Control(claim="cpu.klaus", build="hooks", verdict=Verdict.PASS, reason="Every case passed.", holds=True),
            Control(
                claim="ppu.hardware-roms", build="hooks", verdict=Verdict.FAIL, reason="1 of 6 failed.", holds=False
            ),
        ),
        pairs=(
            killed("adc-forgets-carry", "cpu.klaus", "6502", "trap: stopped at $336D\nassert 0x336d == 0x3469"),
            killed("branch-page-cycle-dropped", "cpu.klaus", "6502", "cycles: 96,241,360 instead of 96,241,367"),
            survived,
            broken,
            not_tried,
        ),
        sole=(SoleKiller(fault="adc-forgets-carry", suite="klaus", tried=("cpu.single-step",),
                         also=("cpu.single-step",), holds=False),),
        suites=(
            SuiteRun(
                id="klaus.reference-with-adc-forgets-carry", suite="klaus", title="6502 functional test",
                subject="reference-with-adc-forgets-carry", oracle="Klaus Dormann's functional test.",
                expected=("6502",), cases=(CaseResult(id="6502", outcome="failed", message="trap: stopped at $336D"),),
            ),
        ),
        duration_s=41.5,
    )  # fmt: skip
