"""Which subjects `--subject` names: one, several, or every console that is known here."""

from __future__ import annotations

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.subjects.registry import ALL_SUBJECTS, SubjectDefinition, find_subject, subject_definitions

__all__ = ["chosen_subjects", "console_like_subjects"]

_CONSOLE = frozenset({"ram", "frame", "frame-indices", "peek", "flat-cpu"})


def chosen_subjects(text: str | None) -> tuple[str, ...]:
    """The subjects that `--subject a,b` or `--subject all` names, each once; none where the option is left out.

    Raises:
        ConfigurationError: a name is empty or unknown, or `all` stands beside others.
    """
    if text is None:
        return ()
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if names == (ALL_SUBJECTS,):
        return console_like_subjects()
    if ALL_SUBJECTS in names:
        raise ConfigurationError("--subject all means every console; name no other subject beside it.")
    if not all(names):
        raise ConfigurationError("--subject takes names with commas between them, as in --subject core,nes-py.")
    for name in names:
        find_subject(name)
    return names


def console_like_subjects() -> tuple[str, ...]:
    """Every subject that shows anything a console shows, or of which that is not known before it runs, whether it can
    be started here or not; variants of another subject are left out."""
    return tuple(name for name, definition in subject_definitions().items() if _is_console(definition))


def _is_console(definition: SubjectDefinition) -> bool:
    if definition.variant_of is not None:
        return False
    return not definition.capabilities or bool(_CONSOLE & set(definition.capabilities))
