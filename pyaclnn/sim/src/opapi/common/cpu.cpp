// SPDX-License-Identifier: MIT
#include "opapi/common/cpu.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/export.hpp"
#include "pyaclnn/sim.h"

#if SIM_HAS_AVX2_PATH
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

namespace pyaclnn::sim {
namespace {

struct Features {
  bool avx2 = false;
  bool avx512 = false;
  bool amx = false;
};

#if SIM_HAS_AVX2_PATH
/// Asks the system to save registers of 8 KiB for this process, which it does on demand.
bool saves_tiles() {
#if defined(__linux__)
  constexpr long kRequest = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;
  return syscall(SYS_arch_prctl, kRequest, kTileData) == 0;
#else
  return false;
#endif
}

// Asked of the processor itself: __builtin_cpu_supports needs a runtime library that not every
// compiler brings.
Features find_features() {
  constexpr unsigned kFma = 1u << 12;
  constexpr unsigned kOsxsave = 1u << 27;
  constexpr unsigned kF16c = 1u << 29;
  constexpr unsigned kAvx2 = 1u << 5;
  constexpr unsigned kAvx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;  // F, DQ, BW, VL
  // Which registers the system saves.
  constexpr unsigned kWide = 0x06;
  constexpr unsigned kWidest = 0xE6;
  constexpr unsigned kTiles = 0x60000;
  constexpr unsigned kAmx = 1u << 22 | 1u << 24 | 1u << 25;  // BF16, TILE, INT8
  Features features;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return features;
  if ((c & kFma) == 0 || (c & kOsxsave) == 0 || (c & kF16c) == 0) return features;
  unsigned saved = 0;
  unsigned high = 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return features;
  features.avx2 = (saved & kWide) == kWide && (b & kAvx2) != 0;
  features.avx512 = features.avx2 && (saved & kWidest) == kWidest && (b & kAvx512) == kAvx512;
  features.amx = features.avx512 && (saved & kTiles) == kTiles && (d & kAmx) == kAmx;
  return features;
}

#else
Features find_features() { return {}; }
#endif

/// Leaves out what PYACLNN_SIM_ISA forbids; it adds nothing that the processor lacks.
Features asked_features() {
  Features features = find_features();
  const char* asked = std::getenv("PYACLNN_SIM_ISA");
  if (asked == nullptr || *asked == '\0') return features;
  const bool wants_amx = std::strcmp(asked, "amx") == 0;
  const bool wants_avx512 = wants_amx || std::strcmp(asked, "avx512") == 0;
  const bool wants_avx2 = wants_avx512 || std::strcmp(asked, "avx2") == 0;
  if (!wants_avx2 && std::strcmp(asked, "baseline") != 0) {
    std::fprintf(stderr,
                 "pyaclnn simulator: PYACLNN_SIM_ISA=%s is not understood; accepted: baseline "
                 "avx2 avx512 amx\n",
                 asked);
    return features;
  }
  if ((wants_amx && !features.amx) || (wants_avx512 && !features.avx512) ||
      (wants_avx2 && !features.avx2))
    std::fprintf(stderr, "pyaclnn simulator: PYACLNN_SIM_ISA=%s: this processor lacks it\n", asked);
  features.amx = features.amx && wants_amx;
  features.avx512 = features.avx512 && wants_avx512;
  features.avx2 = features.avx2 && wants_avx2;
  return features;
}

Features allowed_features() {
  Features features = asked_features();
#if SIM_HAS_AVX2_PATH
  features.amx = features.amx && saves_tiles();
#endif
  return features;
}

const Features& features() {
  static const Features features = allowed_features();
  return features;
}

}  // namespace

Isa cpu_isa() { return features().avx2 ? Isa::kAvx2 : Isa::kBaseline; }

bool cpu_has_avx512() { return features().avx512; }

bool cpu_has_amx() { return features().amx; }

}  // namespace pyaclnn::sim

extern "C" SIM_API const char* pyaclnnSimIsa(void) {
  using namespace pyaclnn::sim;
  if (cpu_has_amx()) return "amx";
  if (cpu_has_avx512()) return "avx512";
  return cpu_isa() == Isa::kAvx2 ? "avx2" : "baseline";
}
