"""Workers must compute what we would: with the same versions of what computes."""

from typing import Any

PACKAGES = ["firstcontact", "numba", "numpy"]


def check_versions(client: Any, checked: set[str]) -> None:
    """Refuse workers with other versions than ours; those checked before are fine."""
    workers = set(client.nthreads()) - checked
    if not workers:
        return
    found = client.get_versions(packages=PACKAGES)
    own = {name: found["client"]["packages"].get(name) for name in PACKAGES}
    for address in sorted(workers & found["workers"].keys()):
        told = found["workers"][address]["packages"]
        for name in PACKAGES:
            if told.get(name) != own[name]:
                theirs = told.get(name) or "none"
                raise RuntimeError(
                    f"the worker {address} has {theirs} of {name}, and {own[name]} is here: install the same"
                )
        checked.add(address)
