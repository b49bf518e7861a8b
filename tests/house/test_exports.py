"""What a package exports is there, is documented, and is all that it exports."""

import importlib
import inspect
import pkgutil
import types
from types import ModuleType

import evalkit
from tests.house.source import REPOSITORY


def _modules() -> tuple[ModuleType, ...]:
    """Import the package and everything below it but `__main__`."""
    found = pkgutil.walk_packages([str(REPOSITORY / "evalkit")], prefix="evalkit.")
    names = [name for _, name, _ in found if not name.endswith("__main__")]
    return (evalkit, *(importlib.import_module(name) for name in names))


def export_problems(module: ModuleType) -> list[str]:
    """Return what is wrong with the `__all__` of a module; a module without one exports nothing wrongly."""
    problems = []
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name, None)
        if not hasattr(module, name):
            problems.append(f"{module.__name__}.{name} is not there")
        elif (inspect.isclass(value) or inspect.isroutine(value)) and not inspect.getdoc(value):
            problems.append(f"{module.__name__}.{name} has no docstring")
    return problems + _doubled(module)


def undocumented(module: ModuleType) -> list[str]:
    """Return the public classes and functions that a module defines and does not describe."""
    own = [
        value
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    bare = [
        value for value in own if (inspect.isclass(value) or inspect.isfunction(value)) and not value.__doc__
    ]
    return [f"{module.__name__}.{value.__qualname__} has no docstring" for value in bare]


def _doubled(module: ModuleType) -> list[str]:
    names = list(getattr(module, "__all__", ()))
    return [
        f"{module.__name__}.{name} is exported twice" for name in sorted(set(names)) if names.count(name) > 1
    ]


def test_exports_are_there_and_described() -> None:
    """Every name in an `__all__` of evalkit is importable and has a docstring."""
    assert [] == [problem for module in _modules() for problem in export_problems(module)]


def test_public_names_are_described() -> None:
    """Every public class and function of evalkit, exported or not, has a docstring, and so has its module."""
    modules = _modules()
    assert [] == [module.__name__ for module in modules if not module.__doc__]
    assert [] == [problem for module in modules for problem in undocumented(module)]


def test_the_package_exports_what_it_says() -> None:
    """`evalkit.__all__` names the version and every public name that is the package's own."""
    public = {
        name
        for name, value in vars(evalkit).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("evalkit")
    }
    assert "__version__" in evalkit.__all__
    assert set() == public - set(evalkit.__all__)


def test_a_false_export_is_found() -> None:
    """Self-test: a name that is not there, one without a docstring and one exported twice are found."""

    def bare() -> None: ...

    module = types.ModuleType("planted")
    vars(module).update(__all__=["bare", "gone", "here", "here"], bare=bare, here=1)
    expected = [
        "planted.bare has no docstring",
        "planted.gone is not there",
        "planted.here is exported twice",
    ]
    assert expected == export_problems(module)


def test_a_bare_function_is_found() -> None:
    """Self-test: a function of the module's own without a docstring is found, a borrowed one is not."""

    def bare() -> None: ...

    module = types.ModuleType("planted")
    bare.__module__ = "planted"
    vars(module).update(bare=bare, borrowed=types.ModuleType, _hidden=bare)
    assert [f"planted.{bare.__qualname__} has no docstring"] == undocumented(module)
