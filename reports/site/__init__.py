"""A static site from evidence: pages, badges and downloads that depend on the documents alone."""

from nesproof.reports.site.build import site_files
from nesproof.reports.site.inputs import RunInput, SiteInputs

__all__ = ["RunInput", "SiteInputs", "site_files"]
