// The records of an event that several processes have.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/export.hpp"

namespace pyaclnn::sim {

class SharedPages;

class SIM_API IpcMarks {
 public:
  /// Counts for an event that has so many records, of which so many are done.
  IpcMarks(std::uint64_t recorded, std::uint64_t completed);
  /// Those that text() of another process names. Failure(107000) where there are none.
  explicit IpcMarks(const std::string& text);
  ~IpcMarks();
  IpcMarks(const IpcMarks&) = delete;
  IpcMarks& operator=(const IpcMarks&) = delete;

  std::string text() const;
  /// Records submitted, and the latest that is done.
  std::uint64_t recorded() const;
  std::uint64_t completed() const;
  /// Counts a record that this process submits.
  std::uint64_t begin_record();
  void finish_record(std::uint64_t number);
  /// The process of the latest record is gone, so that nobody finishes it.
  bool is_deserted() const;

 private:
  struct Card;
  void map();

  std::unique_ptr<SharedPages> pages_;
  Card* card_ = nullptr;
};

}  // namespace pyaclnn::sim
