"""Machine code of one function as an object file: taken from the compiler, and made callable without it.

What is called from Python only needs no more than its object file to run. The compiler's own way back, which
would let other functions call it too, first loads all that the compiler knows: half a second.
"""

import ctypes
import pickle
import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple, NoReturn, cast

from firstcontact._object_symbols import symbols_of

# Where compiled code finds the Python objects that it needs: a variable for each function, by this name.
_ENVIRONMENT = re.compile(r"@\"?(_ZN08NumbaEnv[\w.$]+)")


class _Compiler:
    """What is used of the compiler beyond its public names, all of it here.

    It is looked up when it is needed: with a release that has it elsewhere, code is compiled, not shipped.
    """

    @cached_property
    def binding(self) -> Any:
        return import_module("llvmlite.binding")

    def initialize(self) -> None:
        """Let compiled code have memory; its functions are known by their names then."""
        target = import_module("numba.core.registry").cpu_target.target_context
        import_module("numba.core.runtime").rtsys.initialize(target)

    def engine_options(self) -> dict[str, Any]:
        """How the compiler's own linker lays out memory."""
        setting = getattr(import_module("numba").config, "USE_LLVMLITE_MEMORY_MANAGER", None)
        return {} if setting is None else {"use_lmm": setting}

    def environment_of(self, name: str) -> Any:
        return import_module("numba.core.environment").lookup_environment(name)

    def make_function(self, *parts: Any) -> Any:
        return import_module("numba._dynfunc").make_function(*parts)

    def result(self, **parts: Any) -> Any:
        return import_module("numba.core.compiler").compile_result(**parts)

    def dumps(self, value: Any) -> bytes:
        return cast(bytes, import_module("numba.core.serialize").dumps(value))

    def arguments(self, signature: Any) -> tuple[Any, ...]:
        return tuple(import_module("numba.core.sigutils").normalize_signature(signature)[0])


_compiler = _Compiler()


class UnfitCodeError(Exception):
    """Machine code that cannot be carried to another process, or does not fit into this one."""


class _Record(NamedTuple):
    """What travels of a function."""

    code: bytes
    needed: tuple[str, ...]  # names that this process must have
    description: Any
    signature: Any
    environments: tuple[Any, ...]  # its own first, then those of what it calls


def record_of(result: Any) -> bytes:
    """Write down a function that was just compiled, so that `function_of` can make it again elsewhere."""
    library, description = result.library, result.fndesc
    if library.has_dynamic_globals:
        raise UnfitCodeError("it holds addresses, which another process has elsewhere")
    if result.lifted or result.reload_init or library._reload_init:
        raise UnfitCodeError("it needs a start of its own")
    code = library._get_compiled_object()
    try:
        defined, needed = symbols_of(code)
    except ValueError as error:
        raise UnfitCodeError(str(error)) from error
    if description.llvm_cpython_wrapper_name not in defined:
        raise UnfitCodeError("it has no way in from Python")
    used = [_compiler.environment_of(name) for name in _used_environments(library._final_module)]
    if any(one is None or not one.can_cache() for one in used):
        raise UnfitCodeError("it needs Python objects that cannot be named")
    others = [one for one in used if one is not result.environment]
    description.typemap = description.calltypes = None  # large, and for the compiler alone
    record = _Record(code, needed, description, result.signature, (result.environment, *others))
    return _compiler.dumps(tuple(record))


def _used_environments(module: Any) -> list[str]:
    """Name the environments that code reads: most functions have one that none reads, some no longer."""
    named = Counter(_ENVIRONMENT.findall(str(module)))
    return sorted(name for name, count in named.items() if count > 1)  # once where it is declared


def needs_of(record: bytes) -> tuple[str, ...]:
    """Name what a process must have to run a function, by its record."""
    return _Record(*pickle.loads(record)).needed


def missing_names(needed: Iterable[str]) -> list[str]:
    """List those names that compiled code could not find in this process."""
    _compiler.initialize()
    return [name for name in needed if not _compiler.binding.address_of_symbol(name)]


def function_of(record: bytes | memoryview, wanted: Any, target: Any) -> Any:
    """Make a function of its record, as a result of the compiler; whoever calls this has its lock.

    Whatever is wrong with the record or with this process is an exception, never the end of the process.
    """
    code, needed, description, signature, environments = _Record(*pickle.loads(record))
    if tuple(signature.args) != _compiler.arguments(wanted):
        raise UnfitCodeError("it is for other types")
    missing = missing_names(needed)
    if missing:
        raise UnfitCodeError(f"this process has no {missing[0]}")
    engine = _Engine(code)
    for one in environments:
        engine.set_pointer(one.env_name, one)
    entry = _compiler.make_function(
        description.lookup_module(),
        description.qualname.split(".")[-1],
        f"compiled wrapper for {description.qualname!r}",
        engine.address_of(description.llvm_cpython_wrapper_name),
        environments[0],
        (engine,),  # lives as long as the function
    )
    return _compiler.result(
        target_context=target,
        typing_context=target.typing_context,
        library=_ObjectOnly(description.qualname),
        environment=environments[0],
        entry_point=entry,
        fndesc=description,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=(),
        referenced_envs=environments[1:],
    )


class _Engine:
    """The linker, with one object file in it: no name of one function can be taken for another's."""

    def __init__(self, code: bytes) -> None:
        self._names = set(symbols_of(code).defined)
        binding = _compiler.binding
        module = binding.parse_assembly("")  # it must have one
        module.triple = binding.get_process_triple()
        options = _compiler.engine_options()
        machine = binding.Target.from_triple(module.triple).create_target_machine(jit=True)
        self._engine = binding.create_mcjit_compiler(module, machine, **options)  # both are its own now
        self._engine.add_object_file(binding.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def address_of(self, name: str) -> int:
        """Find a function; one that is not there would end the process."""
        address = self._engine.get_function_address(name) if name in self._names else 0
        if not address:
            raise UnfitCodeError(f"it has no {name}")
        return int(address)

    def set_pointer(self, name: str, value: object) -> None:
        """Let a variable of the code point to a Python object, which must be kept alive."""
        address = self._engine.get_global_value_address(name) if name in self._names else 0
        if address:
            ctypes.c_void_p.from_address(address).value = id(value)


class _ObjectOnly:
    """Stands in for the library of a function that other compiled functions cannot call."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _ensure_finalized(self) -> NoReturn:
        raise RuntimeError(f"{self._name} is a driver: compiled functions cannot call it")

    _get_module_for_linking = _ensure_finalized
