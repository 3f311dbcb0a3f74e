"""Puts the program of one platform into the wheel: BOHIER_PROGRAM is its path, BOHIER_TAG the platform's tag."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Program(BuildHookInterface):
    def initialize(self, version, build_data):
        program = os.environ["BOHIER_PROGRAM"]
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ["BOHIER_TAG"]
        build_data["shared_scripts"][program] = os.path.basename(program)
