"""The gate's document in every format: a view each, which decides nothing."""

from nesproof.reports.gate.html import gate_html
from nesproof.reports.gate.json_document import gate_json
from nesproof.reports.gate.markdown import gate_markdown

__all__ = ["gate_html", "gate_json", "gate_markdown"]
