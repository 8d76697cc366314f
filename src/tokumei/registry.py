"""Registries: the kinds of a thing that a plan may name, each kind in one file that registers itself.

A registry stands in the annotation of a field. What is registered later, by another package too, is known from then on to plans,
the command line, the studio and the reading of releases.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

import pydantic
from pydantic_core import core_schema

from tokumei.errors import InvalidParameter
from tokumei.messages import phrase

T = TypeVar("T")
C = TypeVar("C", bound=type)
EXTENSIONS = "tokumei_extensions"  # the entry points of packages that register something


class _Extensions:
    """Packages that register something, imported once, when a registry is first asked."""

    def __init__(self) -> None:
        self.lock, self.begun, self.broken = threading.RLock(), False, ""

    def load(self) -> None:
        """Import what installed packages offer as entry points; one that cannot be is said whenever a registry is asked."""
        with self.lock:  # which lets an extension ask while it is imported, and nobody else
            if not self.begun:
                self.begun = True
                for found in entry_points(group=EXTENSIONS):
                    try:
                        found.load()
                    except Exception as error:  # noqa: BLE001  (whatever a package of somebody else does)
                        self.broken = phrase(
                            "The extension {name!r} cannot be imported ({kind}: {error}).",
                            name=found.name,
                            kind=type(error).__name__,
                            error=str(error),
                        )
        if self.broken:
            raise InvalidParameter(self.broken)


load_extensions = _Extensions().load


class Kinds(Generic[T]):
    """The kinds of one registry or several, as a field takes them: a value of one of them, or a table that names its kind.

    ``tag`` is the field that tells kinds apart. With ``short`` a name alone stands for a kind with nothing else said. With ``strict``
    only values of registered classes are taken, because others could not be read again; otherwise all of the annotated type are.
    """

    tag: str
    short: bool
    strict: bool

    def __init__(self, *registries: Registry[T]) -> None:
        self.registries = registries
        first = registries[0]
        self.tag, self.short, self.strict = first.tag, first.short, first.strict
        self._built: tuple[tuple[type[T], ...], Any] | None = None

    def __iter__(self) -> Iterator[type[T]]:
        """Go through the classes in the order of their names."""
        known = self._known()
        return iter([known[name] for name in sorted(known)])

    def __len__(self) -> int:
        """Count the classes."""
        return len(list(iter(self)))

    def __contains__(self, cls: object) -> bool:
        """Say whether a class is registered."""
        return any(each is cls for each in self)

    @property
    def names(self) -> tuple[str, ...]:
        """What the kinds are called in a plan."""
        return tuple(sorted(self._known()))

    def of(self, name: str) -> type[T] | None:
        """Return the class of a name; none where there is none."""
        return self._known().get(name)

    def _known(self) -> dict[str, type[T]]:
        load_extensions()
        return {name: cls for registry in self.registries for name, cls in registry.classes.items()}

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Check values against what is registered at the time."""
        bases = source if get_origin(source) is None else get_args(source)

        def checked(given: Any) -> Any:
            if isinstance(given, bases) and (not self.strict or type(given) in self):
                return given
            return self._adapter().validate_python(
                {self.tag: given} if self.short and isinstance(given, str) else given
            )

        def plain(given: Any, info: Any) -> Any:
            return pydantic.TypeAdapter(type(given)).dump_python(given, mode=info.mode)

        return core_schema.no_info_plain_validator_function(
            checked, serialization=core_schema.plain_serializer_function_ser_schema(plain, info_arg=True)
        )

    def __get_pydantic_json_schema__(self, _: Any, handler: Any) -> Any:
        """Describe what is registered now."""
        return handler(self._adapter().core_schema)

    def _adapter(self) -> Any:
        classes = tuple(self)
        if self._built is None or self._built[0] != classes:
            either: Any = Union[classes]  # noqa: UP007  (of a tuple)
            self._built = classes, pydantic.TypeAdapter(Annotated[either, pydantic.Field(discriminator=self.tag)])
        return self._built[1]


class Registry(Kinds[T]):
    """One registry; it is used as a decorator.

    >>> from typing import Literal
    >>> from dataclasses import field
    >>> from tokumei.values import value
    >>> SHAPES = Registry("shape")
    >>> @SHAPES.register
    ... @value
    ... class Square:
    ...     side: int
    ...     shape: Literal["square"] = field(default="square", kw_only=True, repr=False)
    >>> SHAPES.names, SHAPES.of("square")
    (('square',), <class 'tokumei.registry.Square'>)
    """

    def __init__(self, tag: str, *, short: bool = False, strict: bool = False) -> None:
        self.classes: dict[str, type[T]] = {}
        self.tag, self.short, self.strict = tag, short, strict
        super().__init__(self)

    def register(self, cls: C) -> C:
        """Make a class known by the name that its tag is by default; another class of that name is refused."""
        name = tag_of(cls, self.tag)
        known = self.classes.get(name)
        if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise InvalidParameter(
                "There is another {tag} called {name!r}: {module}.{kind}.",
                tag=self.tag,
                name=name,
                module=known.__module__,
                kind=known.__name__,
            )
        self.classes[name] = cls
        return cls

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Forget afterwards what was registered meanwhile."""
        before = dict(self.classes)
        try:
            yield
        finally:
            self.classes.clear()
            self.classes.update(before)


def tag_of(cls: Any, tag: str) -> str:
    """Return what a class is called in a plan, or say how it must be declared."""
    declared = getattr(cls, "__pydantic_fields__", {}).get(tag)
    names = get_args(declared.annotation) if declared is not None and get_origin(declared.annotation) is Literal else ()
    if declared is None or len(names) != 1 or declared.default != names[0]:
        raise InvalidParameter(
            "{kind} must be a @value with the field {tag}: Literal['its_name'] = field(default='its_name', kw_only=True, "
            "repr=False).",
            kind=cls.__name__,
            tag=tag,
        )
    return str(names[0])
