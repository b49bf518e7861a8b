"""The manners of the house that no linter knows, each as a function from one source to its faults.

Comes in: a `Source`. Goes out: a list of `path:line: what is wrong`, empty when the file is well-mannered.
"""

import ast
from collections.abc import Iterator

from tests.house.source import Source, dotted, functions, imported

# The only files that may catch everything: one boundary per room where a fault inside a trial becomes a
# value, the four places where code that is not ours is called, and the last one, which answers with exit 70.
BOUNDARIES = frozenset(
    {
        "evalkit/run/runner.py",
        "evalkit/score/scorer.py",
        "evalkit/judge/judge.py",
        "evalkit/mutate/campaign.py",
        "evalkit/world/tools.py",
        "evalkit/suite/functions.py",
        "evalkit/agent/foreign.py",
        "evalkit/score/python_check.py",
        "evalkit/cli/main.py",
    }
)

# Outside cli/ and __init__.py: path -> what it imports late, and why that is right there.
LATE_IMPORTS: dict[str, str] = {
    "evalkit/plugin.py": "pytest imports it in every session; rooms are loaded when a suite is collected",
    "evalkit/pipeline/api.py": "pandas (1.4 s) is loaded when somebody asks for a frame, and not before",
}

# Rooms that may be asynchronous, and the page of the Protocols that describe them.
ASYNC_ROOMS = frozenset({"run", "agent", "judge", "world", "view"})
ASYNC_PAGES = frozenset({"evalkit/records/ports.py"})

# Rooms whose results depend on their arguments alone: no clock, no chance, no ids of their own.
PURE_ROOMS = frozenset(
    {"records", "stats", "suite", "plan", "facts", "score", "diagnose", "mutate", "decide", "report"}
)
# Of these, the rooms that touch nothing outside the process either.
SILENT_ROOMS = frozenset({"records", "stats", "facts", "decide"})

_CLOCK_AND_ID_CALLS = frozenset(
    {
        "os.urandom",
        "uuid.uuid1",
        "uuid.uuid4",
        "uuid1",
        "uuid4",
        "time.time",
        "time.time_ns",
        "time.monotonic",
        "time.perf_counter",
        "datetime.now",
        "datetime.utcnow",
        "datetime.today",
        "date.today",
        "datetime.datetime.now",
        "datetime.date.today",
    }
)
# Generators are right where they are seeded by an argument, and only there.
_SEEDABLE_CALLS = frozenset({"random.Random", "Random", "np.random.default_rng", "default_rng"})
_OUTSIDE_MODULES = frozenset({"io", "os", "shutil", "socket", "subprocess", "tempfile", "httpx", "duckdb"})
_BROAD = frozenset({"Exception", "BaseException"})
_MUTABLE_CALLS = frozenset(
    {
        "bytearray",
        "Counter",
        "ContextVar",
        "count",
        "cycle",
        "defaultdict",
        "deque",
        "dict",
        "list",
        "Lock",
        "OrderedDict",
        "RLock",
        "set",
        "WeakKeyDictionary",
        "WeakValueDictionary",
    }
)
_MUTATING_METHODS = frozenset(
    {"add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}
)
_FORBIDDEN_CALLS = frozenset(
    {"eval", "exec", "yaml.load", "yaml.unsafe_load", "pickle.loads", "pickle.load", "__import__"}
)
_FORBIDDEN_IMPORTS = frozenset({"pickle", "cloudpickle", "dill", "marshal", "shelve", "yaml", "jsonpickle"})


def broad_catches(source: Source) -> list[str]:
    """Find handlers that catch everything outside the listed boundaries."""
    if source.path in BOUNDARIES:
        return []
    return [
        _at(source, node, "catches everything, and is no boundary")
        for node in ast.walk(source.tree)
        if _catches_everything(node)
    ]


def late_imports(source: Source) -> list[str]:
    """Find imports inside functions, `import_module` of our own rooms included."""
    if source.room == "cli" or source.path.endswith("__init__.py") or source.path in LATE_IMPORTS:
        return []
    return sorted(
        {
            _at(source, node, f"{name} imports inside a function")
            for name, function in functions(source)
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom) or _imports_by_name(node)
        }
    )


def module_state(source: Source) -> list[str]:
    """Find state that outlives a call: mutable values at module level, and `global`.

    A dictionary that is written down with its entries, or worked out from a constant by a comprehension, is a
    table, and may stand as long as nothing writes to it.
    """
    tables = frozenset(name for name, value in _assignments(source) if _is_table(value))
    faults = [
        _at(source, value, f"{name} is mutable at module level")
        for name, value in _assignments(source)
        if name != "__all__" and _is_mutable(value) and name not in tables
    ]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Global):
            faults.append(_at(source, node, f"global {', '.join(node.names)}"))
        elif _written_name(node) in tables:
            faults.append(_at(source, node, f"writes to the table {_written_name(node)}"))
    return faults


def dangerous_calls(source: Source) -> list[str]:
    """Find `eval`, `exec`, unpickling and YAML loaders that are not ours."""
    return [
        _at(source, node, what)
        for node in ast.walk(source.tree)
        for what in (*_imports_from(node, _FORBIDDEN_IMPORTS), *_calls(node, _FORBIDDEN_CALLS))
    ]


def impure(source: Source) -> list[str]:
    """Find clocks and chance in rooms that get them as arguments, and the outside in silent rooms."""
    if source.room not in PURE_ROOMS:
        return []
    silent = source.room in SILENT_ROOMS
    modules = frozenset({"secrets"}) | (_OUTSIDE_MODULES if silent else frozenset())
    calls = _CLOCK_AND_ID_CALLS | (frozenset({"open", "print"}) if silent else frozenset())
    return [
        _at(source, node, f"{what}, which this room gets as an argument")
        for node in ast.walk(source.tree)
        for what in (*_imports_from(node, modules), *_calls(node, calls), *_draws(node))
    ]


def asynchronous(source: Source) -> list[str]:
    """Find `async` outside the rooms that wait for something."""
    if source.room in ASYNC_ROOMS or source.path in ASYNC_PAGES:
        return []
    return [
        _at(source, function, f"{name} is async")
        for name, function in functions(source)
        if isinstance(function, ast.AsyncFunctionDef)
    ]


def _at(source: Source, node: ast.AST, problem: str) -> str:
    return f"{source.path}:{getattr(node, 'lineno', 0)}: {problem}"


def _imports_from(node: ast.AST, modules: frozenset[str]) -> list[str]:
    return [f"imports {name}" for name in imported(node) if name.split(".")[0] in modules]


def _calls(node: ast.AST, names: frozenset[str]) -> list[str]:
    called = dotted(node.func) if isinstance(node, ast.Call) else ""
    return [f"calls {called}"] if called in names else []


def _draws(node: ast.AST) -> list[str]:
    """Find draws from the global generator, and generators made without a seed."""
    if not isinstance(node, ast.Call):
        return []
    called = dotted(node.func)
    if called in _SEEDABLE_CALLS:
        return [] if node.args or node.keywords else [f"seeds {called} by chance"]
    return [f"draws {called}"] if called.startswith("random.") else []


def _catches_everything(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler):
        return node.type is None or _names_everything(node.type)
    if isinstance(node, ast.Call) and dotted(node.func).endswith("suppress"):
        return any(_names_everything(argument) for argument in node.args)
    return False


def _names_everything(node: ast.expr) -> bool:
    named = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(dotted(name).split(".")[-1] in _BROAD for name in named)


def _imports_by_name(node: ast.AST) -> bool:
    if not (isinstance(node, ast.Call) and dotted(node.func).endswith("import_module") and node.args):
        return False
    first = node.args[0]
    return isinstance(first, ast.Constant) and str(first.value).startswith("evalkit")


def _assignments(source: Source) -> Iterator[tuple[str, ast.expr]]:
    """Yield name and value of every assignment at module level, those under `if` and `try` included."""
    pending: list[ast.stmt] = list(source.tree.body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.Assign):
            yield from ((dotted(target), node.value) for target in node.targets)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield dotted(node.target), node.value
        elif isinstance(node, ast.If | ast.Try | ast.With):
            pending.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))


def _is_table(value: ast.expr) -> bool:
    return isinstance(value, ast.DictComp) or (isinstance(value, ast.Dict) and bool(value.keys))


def _is_mutable(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return dotted(value.func).split(".")[-1] in _MUTABLE_CALLS
    return isinstance(value, ast.List | ast.Set | ast.Dict | ast.ListComp | ast.SetComp | ast.DictComp)


def _written_name(node: ast.AST) -> str:
    """Return the name whose content a node changes: `T` for `T[k] = v`, `del T[k]` and `T.update(...)`."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return dotted(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return dotted(node.func.value) if node.func.attr in _MUTATING_METHODS else ""
    return ""
