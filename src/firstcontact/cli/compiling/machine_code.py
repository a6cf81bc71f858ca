"""Whether machine code that was installed with the package is used, and why not: for `firstcontact info`."""

from firstcontact._object_code import missing_names
from firstcontact._shipped_pack import Host, Pack, host_of, is_current, packs, refusal_of

_COMPILED = "compiled here when first used"


def machine_code(numba: str, numpy: str) -> str:
    """Say where machine code comes from, with these versions of the compiler and of numpy."""
    found = packs()
    if not found:
        return f"{_COMPILED}; none was installed"
    host = host_of(numba, numpy)
    said = [pack if isinstance(pack, str) else _said_of(pack, host) for pack in found]
    used = [words for words in said if words.startswith("installed")]
    return used[0] if used else f"{_COMPILED}; not what was installed: {'; '.join(said)}"


def _said_of(pack: Pack, host: Host) -> str:
    refusal = refusal_of(pack, host)
    if refusal is not None:
        return refusal
    missing = missing_names(pack.needed)  # this loads the compiler
    changed = [entry.name for entry in pack.entries if not is_current(entry)]
    words = f"installed for {pack.processor} and numba {pack.made.numba}, {len(pack.entries)} functions"
    if missing:
        return f"{words}; those are compiled that need {missing[0]}, which is not here"
    if changed:
        return f"{words}; {len(changed)} are compiled, since their sources were changed"
    return f"{words}, all used"
