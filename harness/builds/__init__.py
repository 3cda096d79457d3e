"""Builds of the emulator beside the installed one, with hooks for faults or of another revision; kept in a cache."""

from nesproof.harness.builds.build import build_emulator
from nesproof.harness.builds.cache import BuildFailed, Built, NoSpaceForBuild
from nesproof.harness.builds.recipe import BuildToolsMissing, Recipe, emulator_recipe

__all__ = [
    "BuildFailed",
    "BuildToolsMissing",
    "Built",
    "NoSpaceForBuild",
    "Recipe",
    "build_emulator",
    "emulator_recipe",
]
