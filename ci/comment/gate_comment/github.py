"""GitHub's API with the standard library: every answer has a cap, every call a time limit."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

from gate_comment.errors import Refused

__all__ = ["GitHub"]

LARGEST_ANSWER_BYTES = 8 << 20
TIMEOUT_S = 30
_A_PAGE = 100
_MOST_PAGES = 20


class GitHub:
    """One repository's API.

    Args:
        token: of the job; it goes to the API's host alone and follows no redirection.
    """

    def __init__(self, repository: str, *, token: str, api: str = "https://api.github.com") -> None:
        self._repository = repository
        self._token = token
        self._api = api.rstrip("/")

    def get(self, path: str, **query: str | int) -> Any:
        """A JSON answer."""
        return json.loads(self._call("GET", self._url(path, query), limit=LARGEST_ANSWER_BYTES))

    def pages(self, path: str, key: str | None = None, **query: str | int) -> Iterator[Any]:
        """All entries of a list, page by page; `key` names the list in an answer that holds more."""
        for page in range(1, _MOST_PAGES + 1):
            answer = self.get(path, per_page=_A_PAGE, page=page, **query)
            entries = answer if key is None else answer[key]
            yield from entries
            if len(entries) < _A_PAGE:
                return

    def download(self, path: str, *, limit: int) -> bytes:
        """A file. Raises Refused above `limit` bytes, whatever was said of its size before."""
        return self._call("GET", self._url(path, {}), limit=limit)

    def send(self, method: str, path: str, body: dict[str, Any]) -> None:
        """Change something."""
        self._call(method, self._url(path, {}), limit=LARGEST_ANSWER_BYTES, data=json.dumps(body).encode())

    def _url(self, path: str, query: dict[str, str | int]) -> str:
        url = f"{self._api}/repos/{self._repository}/{path}"
        return f"{url}?{urllib.parse.urlencode(query)}" if query else url

    def _call(self, method: str, url: str, *, limit: int, data: bytes | None = None) -> bytes:
        request = urllib.request.Request(url, data=data, method=method)
        request.add_header("Accept", "application/vnd.github+json")
        request.add_header("X-GitHub-Api-Version", "2022-11-28")
        request.add_header("User-Agent", "nesproof-gate-comment")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        # A download is redirected to another host, which is to see no token.
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                body: bytes = answer.read(limit + 1)
        except urllib.error.HTTPError as fault:
            raise Refused(f"GitHub answers {method} with status {fault.code}.") from None
        except OSError:
            raise Refused("GitHub cannot be reached.") from None
        if len(body) > limit:
            raise Refused(f"An answer is larger than {limit} bytes.")
        return body
