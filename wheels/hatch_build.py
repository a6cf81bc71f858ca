"""Puts packs of machine code into a wheel, which is then for one platform; without them it is for all.

`FIRSTCONTACT_PACKS` names the folder of the packs: one for each release of the compiler that is shipped, all
of the interpreter and the system that build.
"""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags


class PlatformWheel(BuildHookInterface):
    """A wheel with packs, if there are any."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Tell the builder what to include, and what to call the wheel."""
        folder = os.environ.get("FIRSTCONTACT_PACKS")
        if not folder or version == "editable":
            return
        packs = sorted(Path(folder).glob("*.pack"))
        if not packs:
            sys.exit(f"there is no pack in {folder}: wheels/make_pack.py makes one")
        for pack in packs:
            build_data["force_include"][str(pack)] = f"firstcontact/machine_code/{pack.name}"
        build_data["pure_python"] = False
        build_data["tag"] = _tag()


def _tag() -> str:
    """Name interpreter and system.

    On Linux not that of this machine: no library is linked, and what the code needs by name is looked for
    when it is loaded.
    """
    own = next(iter(sys_tags()))
    system, _, machine = sysconfig.get_platform().partition("-")
    where = f"manylinux_2_17_{machine}" if system == "linux" else own.platform
    return f"{own.interpreter}-{own.abi}-{where}"
