"""A translator of C++ samples to Python, with rules for what Python has no counterpart of.

``python -m pyaclnn.port sample.cpp`` evaluates the sample's main function symbolically, without
running any of its code, and writes what it does as Python. A statement that cannot be translated
becomes a comment, ``# NOT PORTED file:line: reason``, and a ``raise NotImplementedError`` that
names the line: the port ends there until that part is written by hand. The exit status is then 1.
Remarks are comments, too, and leave it at 0:

- Headers beside the sample are read, from its directory and below only; those of further
  operators are named by ``--headers DIR``, which the port repeats as ``pa.abi.add_headers``.
- An operator that no header declares, or that is called with other arguments than declared, is a
  gap with the sample's own call behind it: ``pa.ops["aclnnName"](...)``. It is a remark where the
  sample includes a header of the operator's own that CANN lacks, or one that does not stand in
  ``aclnnop/`` for a call that CANN's does not fit: both need that package.
- Random numbers of ``rand()`` and ``<random>`` are those that glibc and libstdc++ draw, as long as
  they are few; more than 64 come from ``np.random.default_rng(0)``, in the range that was drawn,
  unless the sample compares or computes with results, which other numbers would make wrong.
- In the idiomatic style, comments of the sample are kept with their statements; those of helpers
that are called repeatedly, and on what pyaclnn does automatically, are dropped.
- Files are read with ``np.fromfile`` and written with ``tofile``; the translator opens none.
- A program that takes sizes from its command line is ported for ``--arguments "..."``, and one that
  looks into its environment for ``--environment NAME=VALUE``; otherwise both are empty.
- Code that exceeds the limits of steps, time or memory ends the port, as a gap.
- Addresses are printed as ``0x...``; measured times are ``time.perf_counter()``.
- A check of results, or of the chip, that ends the sample ends the port: ``SystemExit``.
- Copies beyond the memory, or of another type, keep the numbers that exist.
- Threads that drive a device each, with HCCL between them, are a function in a thread pool.

``-o`` writes over a file that is there, unless that is the sample.

``frontend`` reads C++, ``data`` has its types, numbers and memory, ``evaluation`` follows the
program, ``library`` knows the functions that samples call, ``loops`` finds loops again in what was
printed, and ``writing`` makes Python of the program, whose description is ``model``.
"""
