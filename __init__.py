"""What ``import paifu`` finds beside a checkout called ``paifu``: the installed paifu, or the checkout.

Without this file Python would take the folder for an empty package, before it asks for an editable install.
If the folder is called otherwise, nothing imports this.
"""

import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_HERE = Path(__file__).resolve()


def _installed() -> ModuleSpec | None:
    """Return what ``import paifu`` would find without this folder."""
    others = [path for path in sys.path if (Path(path) / "paifu" / _HERE.name).resolve() != _HERE]
    for finder in sys.meta_path:
        spec = finder.find_spec("paifu", others if finder is PathFinder else None)
        if spec and spec.origin and Path(spec.origin).resolve() != _HERE:
            return spec
    return None


def _checkout() -> ModuleSpec:
    front = _HERE.parent / "front"
    folders = [str(front), str(_HERE.parent)]
    spec = spec_from_file_location("paifu", front / _HERE.name, submodule_search_locations=folders)
    assert spec is not None  # noqa: S101  for a file that ends in .py there is one
    return spec


if __name__ == "paifu":
    _spec = _installed() or _checkout()
    assert _spec.loader is not None  # noqa: S101  it has an origin
    sys.modules["paifu"] = module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["paifu"])
