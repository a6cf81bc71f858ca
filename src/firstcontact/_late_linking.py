"""The compiler told to do less for a kernel: what it calls is put together, and optimised, in the driver.

By itself the compiler puts into each function all that this calls, optimises the whole, and makes machine
code of it; and once more for whoever calls that one. Python calls none of them but the driver. So a kernel
stays alone, as it was written down for LLVM; the driver takes in all that it reaches, and that is optimised
and made machine code of once. It saves a quarter of the wait.

A name stands for one code, in all processes. The compiler numbers functions as they come: here a kernel is
named after its sources and types instead, and all else that its code brings along can be seen from nowhere.
Before machine code is made, each name that it asks for must be known. Where one is not, and with a release of
the compiler that this was not tried with, each function is compiled as the compiler does it by itself.

The compiler's private names that this needs are all here.
"""

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, cast

import numba
from numba import types
from numba.core import codegen, compiler

from firstcontact._sources import digest_of, hash_of

# The first and the last release of the compiler that this was tried with.
_TRIED = ((0, 68), (0, 68))

# How the variables begin by which code finds the Python objects that it needs.
_ENVIRONMENT = "_ZN08NumbaEnv"

# How the functions begin that count who uses memory: the compiler knows them by their names.
_MEMORY = "NRT_"

# Steps of the compiler that are for what no function here has: closures, comprehensions, contexts, calls by
# the value of a constant, functions inlined by wish; and for those who want to read what it did.
_IDLE = frozenset(
    (
        "AnnotateTypes", "DumpParforDiagnostics", "FindLiterallyCalls", "InlineClosureLikes",
        "InlineInlinables", "LiteralPropagationSubPipelinePass", "LiteralUnroll",
        "MakeFunctionToJitFunction", "WithLifting",
    )
)  # fmt: skip

_Library: Any = getattr(codegen, "JITCodeLibrary", object)
_Compiler: Any = getattr(compiler, "Compiler", object)
_types: Any = types  # not typed, or typed in part

# Which function a name was given to.
_owners: dict[str, Callable[..., Any]] = {}

# Why it was given up, in this process.
_given_up: list[str] = []


class UnlinkedError(Exception):
    """Code that cannot be put together late."""


class KernelId(NamedTuple):
    """Where a kernel is found, and for which types."""

    module: str
    name: str
    types: tuple[Any, ...]


class KernelLibrary(_Library):  # type: ignore[misc]
    """The code of a kernel alone, each function optimised by itself; or in one with all that it reaches.

    There is no machine code in either case.

    symbol : what the kernel is called in this code, and in that of its callers
    is_lasting : is it called so in all processes?
    """

    is_alone = True
    is_lasting = False
    symbol = ""
    _linking_libraries: list[Any]

    def __init__(self, owner: Any, kernel: KernelId) -> None:
        super().__init__(owner, kernel.name)
        self.kernel = kernel
        self._whole: Any = None

    def restore(self, symbol: str, bitcode: bytes, used: Iterable[tuple[KernelId, str]]) -> None:
        """Fill it with what `bitcode` gave in another process, and with the kernels that this calls."""
        self.symbol, self._final_module = symbol, _parsed(bitcode)
        for kernel, called in used:
            library = library_of(kernel)
            if called != library.symbol:
                raise UnlinkedError(f"{kernel.name} is not what it was")
            self._linking_libraries.append(library)
        self._finalized = self.is_lasting = True

    @property
    def codegen(self) -> Any:
        """Who would point machine code to its Python objects: there is none yet."""
        return _Nobody(self._codegen)

    @property
    def used(self) -> list["KernelLibrary"]:
        """The kernels that this one calls."""
        return [one for one in dict.fromkeys(self._linking_libraries) if isinstance(one, KernelLibrary)]

    def finalize(self) -> None:
        """Take in what is no kernel: small things of the compiler's own."""
        self._raise_if_finalized()
        self.symbol = _only_function(self._final_module)
        _link_others(self._final_module, self)
        self._close()

    def _close(self) -> None:
        if not self.is_alone:
            for one in self.used:
                self._final_module.link_in(one.tight()._final_module, preserve=True)
            self._linking_libraries = []
        _hide_all_but(self._final_module, self.symbol)
        if not self.is_alone:
            self._optimize_final_module()
        self._finalize_dynamic_globals()
        self._finalized = True

    def tight(self) -> "WholeKernelLibrary":
        """The same with all that it reaches, each optimised before its callers take it in."""
        self._ensure_finalized()
        found = WholeKernelLibrary(self._codegen, self.kernel)
        found.symbol, found._linking_libraries = self.symbol, list(self._linking_libraries)
        found._final_module = self._final_module.clone()
        found._close()
        return found

    def _optimize_functions(self, module: Any) -> None:
        """Optimise each function by itself; not those that are only named, as the compiler does."""
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                manager, builder = self._codegen._function_pass_manager()
                manager.run(function, builder)

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        self._ensure_finalized()
        return 0

    def bitcode(self) -> bytes:
        """Write down the code, without that of the kernels that it calls."""
        self._ensure_finalized()
        return cast(bytes, self._final_module.as_bitcode())

    def _get_module_for_linking(self) -> Any:
        """Put together the kernel and all that it reaches: who asks is no driver of ours."""
        self._ensure_finalized()
        if self._whole is None:
            self._whole = self.tight()._final_module.clone()
            self._whole.get_function(self.symbol).linkage = "linkonce_odr"
        return self._whole


class WholeKernelLibrary(KernelLibrary):
    """The code of a kernel with all that it reaches, optimised before others take it in."""

    is_alone = False

    def tight(self) -> "WholeKernelLibrary":
        """Itself."""
        self._ensure_finalized()
        return self


class DriverLibrary(_Library):  # type: ignore[misc]
    """The code of a driver, with all that it reaches, and its machine code."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Put it together, optimise it, and make machine code where nothing is missing."""
        self._raise_if_finalized()
        _link_kernels(self._final_module, self)
        for library in _link_others(self._final_module, self):
            self._reload_init.update(library._reload_init)
        self._optimize_final_module()
        self._final_module.verify()
        missing = _missing(self._final_module)
        if missing:
            raise UnlinkedError(f"{self._name} has no {missing[0]}")
        self._finalize_final_module()


class _Nobody:
    """Stands in for who points machine code to its Python objects."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._owner, name)

    def set_env(self, name: str, value: object) -> None:
        """Do nothing: what reads them is not put together late."""


class _Pipeline(_Compiler):  # type: ignore[misc]
    """The compiler without the steps that have nothing to do."""

    def define_pipelines(self) -> list[Any]:
        """Give the steps."""
        managers: list[Any] = super().define_pipelines()
        for manager in managers:
            manager.passes = [one for one in manager.passes if one[0].__name__ not in _IDLE]
            manager._finalized = False
            manager.finalize()
        return managers


class KernelPipeline(_Pipeline):
    """Compiles a kernel, which stays alone."""

    library = KernelLibrary

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Have the code written into a library of its own kind."""
        kernel = KernelId(function.__module__, function.__qualname__, tuple(self.state.args))
        self.state.library = self.library(self.state.targetctx.codegen(), kernel)
        return super().compile_extra(function)

    def _compile_bytecode(self) -> Any:
        """Name the code after what it is made from, where that can be told."""
        identity, library = self.state.func_id, self.state.library
        lasting = _lasting_name(identity.func, library.kernel)
        if lasting is not None:
            identity.unique_id, library.is_lasting = lasting, True
        return super()._compile_bytecode()


class WholeKernelPipeline(KernelPipeline):
    """Compiles a kernel, and optimises it with all that it reaches."""

    library = WholeKernelLibrary


class DriverPipeline(_Pipeline):
    """Compiles a driver, with all that it reaches."""

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Have the code written into a library of its own kind."""
        self.state.library = DriverLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


def is_on() -> bool:
    """Are kernels put together late: is this a release that it was tried with, and did it go well so far?"""
    first, last = _TRIED
    is_tried = first <= tuple(cast(Any, numba).version_info[:2]) <= last
    return is_tried and object not in (_Library, _Compiler) and not _given_up


def pipeline_options(pipeline: Any) -> dict[str, Any]:
    """Give the option that tells the compiler to go this way, or none."""
    return {"pipeline_class": pipeline} if is_on() else {}


def give_up(why: str, compiled: Iterable[Any]) -> None:
    """Have functions compiled as the compiler does it by itself from now on; forget kernels left alone."""
    _given_up.append(why)
    for one in compiled:
        one._compiler.pipeline_class = _Compiler
        if any(isinstance(result.library, KernelLibrary) for result in one.overloads.values()):
            one.overloads.clear()


def is_named(kernel: KernelId) -> bool:
    """Can a kernel be found by its name, in another process too?"""
    return hasattr(sys.modules.get(kernel.module), kernel.name)


def library_of(kernel: KernelId) -> Any:
    """Find the library of a kernel, or have it compiled."""
    dispatcher: Any = getattr(import_module(kernel.module), kernel.name)
    dispatcher.compile(kernel.types)
    return dispatcher.overloads[kernel.types].library


def _lasting_name(function: Callable[..., Any], kernel: KernelId) -> str | None:
    """Name the code of a kernel by its sources and types; None where they do not tell all."""
    if function.__closure__ or not is_named(kernel):
        return None
    code = function.__code__
    try:
        sources = digest_of(Path(code.co_filename)), hash_of(Path(code.co_filename))
    except OSError:
        return None
    parts = (sources, *kernel[:2], code.co_firstlineno, [_name_of(one) for one in kernel.types])
    name = hashlib.blake2b(repr(parts).encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()
    return name if _owners.setdefault(name, function) is function else None


def _name_of(kind: Any) -> str:
    """Name a type; the compiler's own names leave out where a class of named tuples is from."""
    where = getattr(kind, "instance_class", None)
    within = [_name_of(one) for one in kind] if isinstance(kind, _types.BaseTuple) else []
    return f"{kind!r} of {where!r} with {within}"


def _reached(library: Any) -> Iterator[KernelLibrary]:
    """Give each kernel that a function calls, and those they call."""
    seen, ahead = {library}, list(library._linking_libraries)
    while ahead:
        one = ahead.pop()
        if isinstance(one, KernelLibrary) and one not in seen:
            seen.add(one)
            yield one
            ahead.extend(one._linking_libraries)


def _link_kernels(module: Any, library: Any) -> None:
    """Put all kernels that a function reaches into its module; then let them go once they are inlined.

    The linker leaves out what may be dropped and is not called yet: until all are in, none may be.
    """
    kernels = list(_reached(library))
    for one in kernels:
        one._ensure_finalized()
        module.link_in(one._final_module, preserve=True)
    for one in kernels:
        module.get_function(one.symbol).linkage = "linkonce_odr"


def _link_others(module: Any, library: Any) -> list[Any]:
    """Put in what is no kernel; each brings along all that it calls."""
    others = [one for one in dict.fromkeys(library._linking_libraries) if not isinstance(one, KernelLibrary)]
    for one in others:
        module.link_in(one._get_module_for_linking(), preserve=True)
    return others


def _only_function(module: Any) -> str:
    """Name the one function of a module that can be called from elsewhere."""
    names = [one.name for one in module.functions if _is_open(one)]
    if len(names) != 1:
        raise UnlinkedError(f"a kernel has {len(names)} ways in")
    return str(names[0])


def _is_open(function: Any) -> bool:
    return not function.is_declaration and function.linkage.name == "external"


def _hide_all_but(module: Any, symbol: str) -> None:
    """Let a module be asked for one function alone: what has the same name elsewhere is another."""
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and not one.name.startswith(_MEMORY):
            one.linkage = "weak_odr" if one.name == symbol else "internal"


def _missing(module: Any) -> list[str]:
    """Name what code asks for that this process does not have, or that is not put together late."""
    binding = import_module("llvmlite.binding")
    asked = [one.name for one in (*module.functions, *module.global_variables) if one.is_declaration]
    missing = [one for one in asked if not (one.startswith("llvm.") or binding.address_of_symbol(one))]
    hidden = [one for one in module.global_variables if one.linkage.name == "internal"]
    return missing + [one.name for one in hidden if one.name.startswith(_ENVIRONMENT)]


def _parsed(bitcode: bytes) -> Any:
    return import_module("llvmlite.binding").parse_bitcode(bitcode)
