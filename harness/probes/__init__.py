"""Probes: each measures one kind of thing and returns raw samples; none of them judges."""
