// Visibility of symbols that cross from the core library to the three CANN-named ones.
// SPDX-License-Identifier: MIT
#pragma once

#define SIM_API __attribute__((visibility("default")))
