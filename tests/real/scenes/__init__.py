# SPDX-License-Identifier: GPL-2.0-or-later
"""Each file contains a family of scenarios. A function that is marked with @scene is a scenario: it gets a stage,
and returns a Truth. @scene names the programs that may be missing."""

import functools

from stage import find, Skip


def scene(*programs):
    def mark(function):
        @functools.wraps(function)
        def play(stage):
            for program in programs:
                if not find(program):
                    raise Skip(program + " is not installed")
            return function(stage)
        play.is_scene = True
        return play
    return mark


def of(family):
    return [value for value in vars(family).values()
            if getattr(value, "is_scene", False) and value.__module__ == family.__name__]
