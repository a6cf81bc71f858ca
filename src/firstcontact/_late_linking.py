"""The compiler told to do less for a kernel: what it calls is put together, and optimised, in the driver.

By itself the compiler puts into each function all that this calls, optimises the whole, and makes machine
code of it; and once more for whoever calls that one. Python calls none of them but the driver. So a kernel
stays alone, as it was written down for LLVM; the driver takes in all that it reaches, and that is optimised
and made machine code of once. It saves a quarter of the wait.

The compiler's private names that this needs are all here. Of a release that it was not tried with, each
function is compiled as that release does it.
"""

import ctypes
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, NamedTuple, cast

import numba
from numba.core import codegen, compiler, environment

# The first and the last release of the compiler that this was tried with.
_TRIED = ((0, 68), (0, 68))

# How the variables begin by which code finds the Python objects that it needs.
_ENVIRONMENT = "_ZN08NumbaEnv"

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
_environment: Any = environment


class KernelId(NamedTuple):
    """Where a kernel is found, and for which types."""

    module: str
    name: str
    types: tuple[Any, ...]


class KernelLibrary(_Library):  # type: ignore[misc]
    """The code of a kernel alone, each function optimised by itself; or in one with all that it reaches.

    There is no machine code in either case.
    """

    is_alone = True
    symbol = ""  # what the kernel is called in this code
    _linking_libraries: list[Any]

    def __init__(self, owner: Any, kernel: KernelId) -> None:
        super().__init__(owner, kernel.name)
        self.kernel = kernel
        self._whole: Any = None

    def restore(self, symbol: str, bitcode: bytes, used: Iterable[tuple[KernelId, str]]) -> None:
        """Fill it with what `bitcode` gave in another process, and with the kernels that this calls.

        The compiler numbers functions: each process has symbols of its own for the same kernels.
        """
        self.symbol, self._final_module = symbol, _parsed(bitcode)
        for kernel, called in used:
            library = library_of(kernel)
            self._linking_libraries.append(library)
            if called != library.symbol:
                self._final_module.get_function(called).name = library.symbol
        self._finalized = True

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
        for one in dict.fromkeys(self._linking_libraries):
            if not (self.is_alone and isinstance(one, KernelLibrary)):
                self._final_module.link_in(one._get_module_for_linking(), preserve=True)
        if not self.is_alone:
            self._linking_libraries = []
            self._optimize_final_module()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"  # several may bring it along
        self._finalize_dynamic_globals()
        self._finalized = True

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
        """Put together the kernel and all that it reaches: who asks is a driver."""
        self._ensure_finalized()
        if self._whole is None:
            self._whole = self._final_module.clone()
            for one in _reached(self):
                self._whole.link_in(one._final_module, preserve=True)
        return self._whole


class WholeKernelLibrary(KernelLibrary):
    """The code of a kernel with all that it reaches, optimised before others take it in."""

    is_alone = False


class _Nobody:
    """Stands in for who points machine code to its Python objects."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._owner, name)

    def set_env(self, name: str, value: object) -> None:
        """Do nothing: the driver will see to it."""


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
        result = super().compile_extra(function)
        result.library.symbol = result.fndesc.mangled_name
        return result


class WholeKernelPipeline(KernelPipeline):
    """Compiles a kernel, and optimises it with all that it reaches."""

    library = WholeKernelLibrary


class DriverPipeline(_Pipeline):
    """Compiles a driver, with all that it reaches."""

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Point the machine code to the Python objects of the kernels that are in it, too."""
        result = super().compile_extra(function)
        engine = result.codegen._engine
        for variable in result.library._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                value = _environment.lookup_environment(variable.name)
                address = engine.get_global_value_address(variable.name)
                if value is not None and address:
                    ctypes.c_void_p.from_address(address).value = id(value)
        return result


def pipeline_options(pipeline: Any) -> dict[str, Any]:
    """Give the option that tells the compiler to go this way; none for a release that was not tried."""
    first, last = _TRIED
    if not first <= tuple(cast(Any, numba).version_info[:2]) <= last or object in (_Library, _Compiler):
        return {}
    return {"pipeline_class": pipeline}


def is_named(kernel: KernelId) -> bool:
    """Can a kernel be found by its name, in another process too?"""
    return hasattr(sys.modules.get(kernel.module), kernel.name)


def library_of(kernel: KernelId) -> Any:
    """Find the library of a kernel, or have it compiled."""
    dispatcher: Any = getattr(import_module(kernel.module), kernel.name)
    dispatcher.compile(kernel.types)
    return dispatcher.overloads[kernel.types].library


def _reached(library: KernelLibrary) -> Iterator[KernelLibrary]:
    """Give each kernel that one calls, and those they call; callers first, as the linker wants it."""
    seen, ahead = {library}, list(library.used)
    while ahead:
        one = ahead.pop(0)
        if one not in seen:
            seen.add(one)
            yield one
            ahead.extend(one.used)


def _parsed(bitcode: bytes) -> Any:
    return import_module("llvmlite.binding").parse_bitcode(bitcode)
