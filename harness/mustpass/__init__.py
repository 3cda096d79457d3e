"""Must-pass lists: frozen, versioned lists of cases, so that a count of cases means the same to everybody."""

from nesproof.harness.mustpass.lists import CURRENT, MustPassList, list_names, load_list, record_of

__all__ = ["CURRENT", "MustPassList", "list_names", "load_list", "record_of"]
