"""What a module's source uses: rooms of the package, modules whose names are computed, and chance.

Only the source is read, so that a planted violation can be tried without a file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

LOADERS = {"import_module", "__import__", "run_module", "resolve_name", "exec", "eval"}
CHANCE = {"random", "secrets", "uuid"}  # modules that draw
DRAWING = {"default_rng", "RandomState", "urandom", "getrandom", "SystemRandom"}
FACTS = {"__version__", "_EXPORTS"}  # of the package itself, which load nothing
NAMED = re.compile(r"tokumei\.(\w+)")


def imports(tree: ast.AST) -> set[str]:
    """Return everything that is imported, by its full name."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def used_rooms(source: str, exports: Mapping[str, str]) -> set[str]:
    """Return the rooms that a module uses: by an import, by an attribute of the package, or by a name in a text.

    A public name counts for the room that it comes from. The package itself, handed on or imported whole, counts as ``"*"``.
    """
    tree = ast.parse(source)
    names = {name.removeprefix("tokumei.") for name in imports(tree) if name.startswith("tokumei.")}
    whole = _bound(tree, "tokumei")
    above = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in whole:
            parent = above[node]
            names.add(parent.attr if isinstance(parent, ast.Attribute) else "*")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not _is_docstring(node, above):
            names |= {found[1] for found in [NAMED.match(node.value)] if found}
    return {_room(name, exports) for name in names - FACTS}


def computed_imports(source: str) -> list[str]:
    """Return the calls that load or run something whose name does not stand in the source."""
    tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last(node.func) in LOADERS:
            if _last(node.func) in {"exec", "eval"} or not (node.args and _package_is_written(node.args[0])):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{a.name} as {a.asname}" for a in node.names if a.name in LOADERS and a.asname]
    return found


def chance(source: str) -> list[str]:
    """Return what draws, or could: modules of chance, ``random`` of any module, and what makes generators.

    The type of a generator that is handed in, ``np.random.Generator``, draws nothing.
    """
    tree = ast.parse(source)
    used = imports(tree)
    found = [name for name in used if name.split(".")[0] in CHANCE or "random" in name.split(".")]
    modules = {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    above = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        if node.attr == "random" and _first(node) in modules:
            parent = above[node]
            is_type = isinstance(parent, ast.Attribute) and parent.attr == "Generator"
            if not is_type or _is_called(parent, above):
                found.append(ast.unparse(node))
        elif node.attr in DRAWING or (node.attr == "seed" and _is_called(node, above)):
            found.append(ast.unparse(node))
    return found


def _bound(tree: ast.AST, package: str) -> set[str]:
    """Return the names that a package is bound to."""
    return {
        alias.asname or package
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == package or (alias.name.startswith(f"{package}.") and alias.asname is None)
    }


def _room(name: str, exports: Mapping[str, str]) -> str:
    first = name.split(".", maxsplit=1)[0]
    return exports[first].split(".")[1] if first in exports else first


def _package_is_written(given: ast.expr) -> bool:
    """Say whether the name of a module, or of the package that it is in, stands in the source."""
    if isinstance(given, ast.JoinedStr):
        head = given.values[0]
        return isinstance(head, ast.Constant) and "." in str(head.value)
    return isinstance(given, ast.Constant)


def _is_docstring(node: ast.Constant, above: Mapping[ast.AST, ast.AST]) -> bool:
    return isinstance(above[node], ast.Expr)


def _is_called(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    parent = above[node]
    return isinstance(parent, ast.Call) and parent.func is node


def _last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _first(node: ast.AST) -> str:
    return next((each.id for each in _chain(node) if isinstance(each, ast.Name)), "")


def _chain(node: ast.AST) -> Iterator[ast.AST]:
    while isinstance(node, ast.Attribute):
        node = node.value
        yield node
