"""Builds of the emulator beside the installed one, with hooks for faults or of another revision; kept in a cache."""

from nesproof.harness.builds.build import BuildFailed, Built, build_emulator
from nesproof.harness.builds.recipe import Recipe, emulator_recipe

__all__ = ["BuildFailed", "Built", "Recipe", "build_emulator", "emulator_recipe"]
