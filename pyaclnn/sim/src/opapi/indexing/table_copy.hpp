// What a table is to hold before elements go there, copied part by part by those who put them.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

class TableCopy {
 public:
  /// Copies nothing.
  TableCopy() = default;
  /// Views of one shape and element type.
  TableCopy(const View& to, const View& from);

  /// Whether there are rows whose elements lie behind one another in both views.
  bool has_rows() const;

  void run(const KernelMemory& memory) const;

 private:
  View to_;
  View from_;
  LoopNest nest_;
};

}  // namespace pyaclnn::sim
