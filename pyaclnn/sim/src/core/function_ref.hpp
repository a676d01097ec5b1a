// A callable passed down the stack.
// SPDX-License-Identifier: MIT
#pragma once

namespace pyaclnn::sim {

template <class Signature>
class FunctionRef;

/// Calls the callable it was made of, which must outlive it. A std::function would copy what the
/// callable holds to the heap, 0.1 us of the 0.5 a first phase takes, and costs every file that
/// names it a tenth of a second to compile.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Callable>
  FunctionRef(const Callable& callable)
      : callable_(&callable), call_([](const void* callable, Arguments... arguments) -> Result {
          return (*static_cast<const Callable*>(callable))(arguments...);
        }) {}
  FunctionRef(const FunctionRef&) = default;

  Result operator()(Arguments... arguments) const { return call_(callable_, arguments...); }

 private:
  const void* callable_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace pyaclnn::sim
