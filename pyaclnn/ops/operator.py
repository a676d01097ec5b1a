"""One operator: the generic call that serves all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal

from pyaclnn import abi
from pyaclnn.abi import Signature
from pyaclnn.abi.declarations import nearest_hint
from pyaclnn.ops import data_dependent, two_phase
from pyaclnn.ops.allocation import allocated
from pyaclnn.ops.arguments import Converter, converter
from pyaclnn.ops.checks import note_use, refuse_overlap, tensors_of
from pyaclnn.ops.compiled import MISSING, compilable, compile_call, source_of_call
from pyaclnn.ops.defaults import REQUIRED
from pyaclnn.ops.describe import docstring
from pyaclnn.ops.modes import by_number
from pyaclnn.ops.plan import Plan
from pyaclnn.ops.rules import rules_of, why_not_inferred
from pyaclnn.ops.rules.common import why_unknown
from pyaclnn.ops.spec import Spec, load_spec
from pyaclnn.runtime import Stream, current_stream
from pyaclnn.runtime.copies import fill_with_byte
from pyaclnn.runtime.current import queue_of
from pyaclnn.tensor import Tensor

#: An output argument: None allocates it, if its shape follows from the inputs; False omits it.
_Output = Tensor | Literal[False] | None
Out = _Output | Sequence[_Output]


class Operator:
    """An aclnn operator, called with tensors and Python values.

    ``operator(*inputs, out=None, stream=None)`` is asynchronous: it runs both phases and returns
    without waiting. Results are valid after the stream is synchronised, which reading their values
    does.

    Outputs are given by ``out=``, one or a sequence in C's order, or by their names. None allocates
    an output; False omits it, which passes a null pointer.

    Parameters
    ----------
    c_name : str
        Such as ``aclnnSoftshrinkBackward``.
    """

    def __init__(self, c_name: str) -> None:
        self.spec: Spec = load_spec(c_name)
        self.name = self.spec.name
        self.c_name = c_name
        self.header = self.spec.header
        self.__name__ = self.name
        self.__signature__ = self.spec.python_signature()
        self._input_count = len(self.spec.inputs)
        self._output_count = len(self.spec.outputs)
        self._lists_only = [a.kind for a in self.spec.outputs] == ["tensor_list"]
        self._converters: list[Converter] = [converter(c_name, a) for a in self.spec.arguments]
        self._rules = rules_of(c_name)
        # Position in inputs + outputs of each C parameter.
        python_order = [*self.spec.inputs, *self.spec.outputs]
        self._order = [python_order.index(a) for a in self.spec.arguments]
        self._in_c_order = self._order == sorted(self._order)
        # C positions of what a call returns: outputs, or the in-place inputs where there are none.
        results = [
            i
            for i, a in enumerate(self.spec.arguments)
            if a.output and a.in_place == (self._output_count == 0)
        ]
        #: Selects what a call returns from the values in C order: one tensor, or a tuple.
        self.result: Callable[[Sequence[Any]], Any] = (
            itemgetter(*results) if results else lambda _: ()
        )
        self._called = False
        self._specialised = False
        self._phase1: Any = None
        self._phase2: Any = None

    # -- description

    @property
    def signature(self) -> Signature:
        """The C signature of phase 1."""
        return abi.signature(self.c_name + "GetWorkspaceSize")

    @property
    def library(self) -> str:
        """Path of the library that has the operator.

        Raises
        ------
        SymbolNotFoundError
            Where no loaded library does.
        """
        return abi.find_symbol(self.c_name).path

    @property
    def available(self) -> bool:
        """Whether the backend in use has the operator."""
        phases = (self.c_name + "GetWorkspaceSize", self.c_name)
        return all(abi.has_symbol(name) for name in phases)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return docstring(self.spec)

    def __repr__(self) -> str:
        return f"<pyaclnn operator {self.name}{self.__signature__}>"

    # -- the call

    def __call__(
        self,
        /,
        *inputs: Any,
        out: Out = None,
        stream: Stream | None = None,
        **named: Any,
    ) -> Any:
        """Run the operator; see its own docstring for the parameters."""
        result = self.call(inputs, out, stream, named)
        # Compiled in the second call: compiling takes 1 ms, too much for an operator that is used
        # once.
        if self._called and not self._specialised:
            self._specialise()
        self._called = True
        return result

    def call(
        self, inputs: tuple[Any, ...], out: Any, stream: Stream | None, named: Mapping[str, Any]
    ) -> Any:
        """Run the operator by the general call, which supports all parameters."""
        if named or len(inputs) != self._input_count:
            inputs, out = self.bind(inputs, out, named)
        stream = queue_of(stream)
        outputs = self.prepare_outputs(inputs, out, stream)
        data_dependent.use_own_descriptors(self.c_name, outputs)
        values = self.in_c_order(inputs, outputs)
        keep: list[object] = []
        c_arguments = self.convert(values, keep)
        for value in values:
            if value.__class__ is Tensor:
                note_use(value, stream)
            elif value.__class__ in (list, tuple):
                for tensor in tensors_of(value):
                    note_use(tensor, stream)
        if self._phase1 is None:
            self.resolve()
        two_phase.run(self._phase1, self._phase2, self.c_name, c_arguments, stream, values)
        result = self.result(values)
        return (
            data_dependent.in_actual_shapes(self.c_name, result, stream) if out is None else result
        )

    def plan(
        self,
        /,
        *inputs: Any,
        out: Out = None,
        stream: Stream | None = None,
        **named: Any,
    ) -> Plan:
        """Prepare a call that can be run many times.

        Parameters
        ----------
        *inputs, out, stream, **named
            As for the call. Outputs that may be left out are allocated here, and are
            ``plan.outputs``.

        Returns
        -------
        Plan
        """
        if named or len(inputs) != self._input_count:
            inputs, out = self.bind(inputs, out, named)
        stream = queue_of(stream)
        outputs = self.prepare_outputs(inputs, out, stream)
        self.resolve()
        return Plan(self, self.in_c_order(inputs, outputs), stream)

    def to_cpp(
        self,
        /,
        *inputs: Any,
        out: Out = None,
        **named: Any,
    ) -> str:
        """Return a call as a self-contained C++ sample, for a bug report.

        The operator is not run. The sample holds the values the tensors have now, makes the same
        call with the same views, and prints every element of the outputs.

        Parameters
        ----------
        *inputs, out, **named
            As for the call.

        Returns
        -------
        str
            C++17 source that needs nothing but CANN.

        Raises
        ------
        ValueError
            If the tensors are too large to be written down.
        """
        # Imported here: it would take a tenth of pyaclnn's import time, and few programs need it.
        from pyaclnn.ops.to_cpp import write

        values = self.call_arguments(inputs, out, current_stream(), named)
        return write(self.spec, values)

    def source(self) -> str:
        """Return the Python function that calls of this operator run, generated for its parameters.

        Returns
        -------
        str
            Names that begin with an underscore are of :mod:`pyaclnn.ops.compiled`. Empty for an
            operator whose parameters need :meth:`call`, which looks at them one by one.
        """
        return source_of_call(self.spec) if compilable(self.spec) else ""

    def _specialise(self) -> None:
        """Give this operator a class of its own, whose ``__call__`` is compiled for it.

        Calls then bind their arguments in C; a dispatching ``__call__`` would repack them in
        Python.
        """
        phases = self.resolve()
        self._specialised = True
        if compilable(self.spec):

            def general(
                inputs: tuple[Any, ...], extra: Any, out: Any, stream: Any, named: Any
            ) -> Any:
                if extra is not MISSING:
                    # Arguments behind it would be assigned to wrong parameters, so only this one is
                    # reported.
                    return self.call((*inputs, extra), None, None, {})
                if any(value is MISSING for value in inputs):
                    given = {
                        a.name: v
                        for a, v in zip(self.spec.inputs, inputs, strict=True)
                        if v is not MISSING
                    }
                    return self.call((), out, stream, {**given, **named})
                return self.call(inputs, out, stream, named)

            # A static method: one of the operator's parameters may be named `self`.
            call = staticmethod(compile_call(self.spec, phases, general))
            self.__class__ = type(
                "Operator", (Operator,), {"__call__": call, "__doc__": Operator.__doc__}
            )

    # -- its steps, shared with Plan

    def resolve(self) -> tuple[Any, Any]:
        """Look up the two C functions, and return them.

        Raises
        ------
        SymbolNotFoundError
            Where the backend lacks the operator.
        """
        abi.define(self.c_name + "GetWorkspaceSize", self.c_name)
        phase1 = getattr(abi.lib, self.c_name + "GetWorkspaceSize")
        phase2 = getattr(abi.lib, self.c_name)
        # The first one is set last: a thread that sees it may use both.
        self._phase2, self._phase1 = phase2, phase1
        return phase1, phase2

    def bind(
        self, inputs: tuple[Any, ...], out: Any, named: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], Any]:
        """Map keyword arguments to positions.

        Raises
        ------
        TypeError
            For a missing, unknown or repeated argument, with the signature.
        """

        def refused(why: str) -> TypeError:
            return TypeError(f"{self.name}{self.__signature__}: {why}")

        if len(inputs) > self._input_count:
            raise refused("too many positional arguments")
        # Positional arguments are in C's order, even for parameters that the signature makes
        # keyword-only.
        given: dict[str, Any] = dict(zip([a.name for a in self.spec.inputs], inputs, strict=False))
        for name in named:
            if name not in self.__signature__.parameters:
                hint = nearest_hint(name, list(self.__signature__.parameters))
                raise refused(f"got an unexpected keyword argument {name!r}{hint}")
            if name in given:
                raise refused(f"multiple values for argument {name!r}")
        given.update(named)
        for a in self.spec.inputs:
            if given.setdefault(a.name, a.default) is REQUIRED:
                raise refused(f"missing a required argument: {a.name!r}")
        if "out" in self.__signature__.parameters and out is not None:
            given["out"] = out
        names = [a.name for a in self.spec.outputs]
        if any(name != "out" and given.get(name) is not None for name in names):
            if out is not None and "out" not in names:
                raise TypeError(f"{self.name}: give outputs by `out` or by their names, not both")
            out = tuple(given.get(name) for name in names)
        return tuple(given[a.name] for a in self.spec.inputs), out

    def prepare_outputs(
        self, inputs: tuple[Any, ...], out: Any, stream: Stream
    ) -> tuple[Tensor | None, ...]:
        """Collect the outputs that were passed, and allocate those that the inputs determine.

        Raises
        ------
        TypeError
            Where an output is needed and cannot be worked out.
        ValueError
            Where an output overlaps an input partially.
        """
        if out is None:
            given: Sequence[Any] = (None,) * self._output_count
        elif out.__class__ is Tensor or out is False:
            given = (out,)
        elif isinstance(out, (tuple, list)):
            # A single output that is a list of tensors need not be wrapped in another sequence.
            given = (out,) if self._lists_only and not _nested(out) else out
        else:
            raise TypeError(f"{self.name}: out must be a pyaclnn.Tensor, not {type(out).__name__}")
        if len(given) != self._output_count:
            raise TypeError(
                f"{self.name}: {self._output_count} outputs ({self._output_names()}), "
                f"{len(given)} given"
            )
        if out is not None:
            pairs = zip(self.spec.outputs, given, strict=True)
            named = [(a.name, t) for a, t in pairs if t is not None and t is not False]
            flat = []
            for name, value in named:
                for tensor in value if isinstance(value, (tuple, list)) else (value,):
                    if tensor.__class__ is not Tensor:
                        kind = type(tensor).__name__
                        raise TypeError(f"{self.name}: {name} must be a pyaclnn.Tensor, not {kind}")
                    flat.append((name, tensor))
            refuse_overlap(
                flat, [(a.name, v) for a, v in zip(self.spec.inputs, inputs, strict=True)]
            )
            if len(named) == self._output_count:
                return tuple(given)
        return self._allocate_missing(inputs, given, out is not None, stream)

    def _allocate_missing(
        self,
        inputs: tuple[Any, ...],
        given: Sequence[Any],
        some_given: bool,
        stream: Stream,
    ) -> tuple[Any, ...]:
        arguments = {
            a.c_name: by_number(self.c_name, a.c_name, v)
            for a, v in zip(self.spec.inputs, inputs, strict=True)
        }
        outputs: list[Any] = []
        for argument, tensor in zip(self.spec.outputs, given, strict=True):
            if tensor is False:
                outputs.append(None)
                continue
            rule = self._rules.get(argument.c_name)
            if tensor is not None or (rule is None and some_given):
                # If other outputs are given, one without a rule is an optional one that is omitted.
                outputs.append(tensor)
                continue
            if rule is None:
                # An error that the operator does not exist has precedence.
                self.resolve()
                why = why_not_inferred(self.c_name)
                raise TypeError(
                    f"{self.name}: {argument.name} does not follow from the inputs"
                    f"{f' ({why})' if why else ''}: pass out= ({self._output_names()}) or "
                    f"{argument.name}="
                )
            described, problem = None, None
            try:
                described = rule(arguments)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                problem = why_unknown(rule, arguments, error)
            if problem is not None:
                # Usually an argument is wrong, and its conversion raises a better error.
                self.convert(self.in_c_order(inputs, (None,) * self._output_count), [])
                raise ValueError(f"{self.name}: cannot work out {argument.name}: {problem}")
            outputs.append(allocated(described, stream))
        return tuple(outputs)

    def _output_names(self) -> str:
        return ", ".join(a.name for a in self.spec.outputs)

    def in_c_order(self, inputs: tuple[Any, ...], outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return Python's inputs and outputs in the order of the C parameters."""
        values = inputs + outputs
        return values if self._in_c_order else tuple(values[i] for i in self._order)

    def convert(self, values: tuple[Any, ...], keep: list[object]) -> list[Any]:
        """Turn Python values into C arguments; ``keep`` collects what must outlive the call.

        Raises
        ------
        TypeError, ValueError
            Naming the parameter, what was passed and what is accepted.
        """
        try:
            return [c(v, keep) for c, v in zip(self._converters, values, strict=True)]
        except abi.AclError:
            raise
        except (TypeError, ValueError):
            pass
        # Converted again, one by one, to name the parameter in the error.
        c_values = []
        for argument, convert, value in zip(
            self.spec.arguments, self._converters, values, strict=True
        ):
            try:
                c_values.append(convert(value, keep))
            except (TypeError, ValueError) as error:
                error.args = (f"{self.name}: argument {argument.name}: {error}",)
                raise
        return c_values

    def call_arguments(
        self, inputs: tuple[Any, ...], out: Any, stream: Stream, named: Mapping[str, Any]
    ) -> tuple[Any, ...]:
        """Return the arguments of a call in C order without making it, for C++ samples.

        Missing outputs are allocated, and everything that Python checks is checked.

        Raises
        ------
        TypeError, ValueError
            As for the call.
        """
        if named or len(inputs) != self._input_count:
            inputs, out = self.bind(inputs, out, named)
        outputs = self.prepare_outputs(inputs, out, stream)
        given = {id(tensor) for tensor in tensors_of([out])}
        for tensor in tensors_of(outputs):
            if id(tensor) not in given:
                # Zeroed, because outputs of the sample begin with zeros and must print the same
                # values.
                fill_with_byte(tensor.buffer, 0)
        values = self.in_c_order(inputs, outputs)
        self.convert(values, [])
        return values


def _nested(out: Sequence[Any]) -> bool:
    return len(out) == 1 and isinstance(out[0], (tuple, list))
