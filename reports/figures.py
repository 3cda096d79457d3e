"""Numbers and moments as people read them."""

from __future__ import annotations

from datetime import datetime, timezone

from nesproof.reports.wording import ABSENT

__all__ = ["amount", "bytes_text", "counted", "duration", "moment", "number", "ratio", "threshold"]


def duration(seconds: float) -> str:
    """A duration: "84 ms", "7.3 s", "2 min 5 s", "1 h 4 min"."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def bytes_text(count: int) -> str:
    """A size in binary units: "31.3 GiB"."""
    size = float(count)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{count} bytes" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def moment(when: datetime) -> str:
    """A moment in UTC to the second. A moment without a zone is UTC already."""
    utc = when.astimezone(timezone.utc) if when.tzinfo is not None else when
    return utc.strftime("%Y-%m-%d %H:%M:%S UTC")


def number(value: float | None) -> str:
    """A figure with three to four significant digits, thousands separated."""
    if value is None:
        return ABSENT
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"


def amount(value: float) -> str:
    """A counted figure: whole numbers whole, others with three to four significant digits."""
    return f"{value:,.0f}" if value == int(value) else number(value)


def counted(count: int, noun: str) -> str:
    """A number with its noun: "1 thread", "64 consoles"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def ratio(value: float | None) -> str:
    """A ratio: "1.324 ×"."""
    return ABSENT if value is None else f"{number(value)} \N{MULTIPLICATION SIGN}"


def threshold(value: float) -> str:
    """A promised figure, as short as it was written: "0.4", "9,000"."""
    return f"{value:,.10g}"
