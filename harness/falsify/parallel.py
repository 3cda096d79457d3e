"""Several pieces of work at a time; a Ctrl-C ends what is under way and keeps what it yielded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

__all__ = ["run_all"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def run_all(
    items: Sequence[_Item],
    work: Callable[[_Item], _Result],
    *,
    jobs: int,
    take: Callable[[_Item, _Result | Exception], None],
    stop: Callable[[], None] = lambda: None,
) -> None:
    """Work on `items` in the order given, `jobs` at a time; `take` gets each with what came of it, in this thread.

    Raises:
        KeyboardInterrupt: after `stop` was called, and what was under way has ended and been taken.
    """
    with ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="trial") as pool:
        futures: dict[Future[_Result], _Item] = {pool.submit(work, item): item for item in items}
        taken: set[Future[_Result]] = set()

        def take_done(done: set[Future[_Result]]) -> None:
            for future in done - taken:
                taken.add(future)
                if not future.cancelled():
                    fault = future.exception()
                    if fault is None:
                        take(futures[future], future.result())
                    elif isinstance(fault, Exception):
                        take(futures[future], fault)

        try:
            while len(taken) < len(futures):
                done, _ = wait(futures.keys() - taken, return_when=FIRST_COMPLETED)
                take_done(done)
        except BaseException:
            stop()
            for future in futures:
                future.cancel()
            done, _ = wait(futures)
            take_done(done)
            raise
