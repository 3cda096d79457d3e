from collections.abc import Sequence

def capsule(
    owner: object,
    address: int,
    shape: Sequence[int],
    strides: Sequence[int],
    code: int,
    bits: int,
    device_type: int,
    device_id: int,
    versioned: bool,
) -> object: ...
def take(capsule: object) -> tuple[object, int, list[int], list[int], int, int, int, int, int]: ...
