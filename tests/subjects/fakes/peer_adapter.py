"""A subject that is nothing but an installed package: it starts only where that can be imported."""

from __future__ import annotations

import toy_peer


class Peer:
    name = "peer"
    version = toy_peer.VERSION
    packages = (("toy-peer", toy_peer.VERSION),)
    build = None
    capabilities = ()


def make_adapter(_options):
    return Peer()
