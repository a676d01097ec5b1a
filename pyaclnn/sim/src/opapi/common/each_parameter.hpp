// SIM_EACH(F, S, (a, b), (c, d)) is F(a, b) S() F(c, d), for up to 64 pairs.
// SPDX-License-Identifier: MIT
#pragma once

#define SIM_COMMA() ,
#define SIM_SEMICOLON() ;

#define SIM_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, \
                 _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32, _33, _34,  \
                 _35, _36, _37, _38, _39, _40, _41, _42, _43, _44, _45, _46, _47, _48, _49, _50,  \
                 _51, _52, _53, _54, _55, _56, _57, _58, _59, _60, _61, _62, _63, _64, name, ...) \
  name
#define SIM_EACH(F, S, ...)                                                                      \
  SIM_PICK(__VA_ARGS__, SIM_EACH_64, SIM_EACH_63, SIM_EACH_62, SIM_EACH_61, SIM_EACH_60,         \
           SIM_EACH_59, SIM_EACH_58, SIM_EACH_57, SIM_EACH_56, SIM_EACH_55, SIM_EACH_54,         \
           SIM_EACH_53, SIM_EACH_52, SIM_EACH_51, SIM_EACH_50, SIM_EACH_49, SIM_EACH_48,         \
           SIM_EACH_47, SIM_EACH_46, SIM_EACH_45, SIM_EACH_44, SIM_EACH_43, SIM_EACH_42,         \
           SIM_EACH_41, SIM_EACH_40, SIM_EACH_39, SIM_EACH_38, SIM_EACH_37, SIM_EACH_36,         \
           SIM_EACH_35, SIM_EACH_34, SIM_EACH_33, SIM_EACH_32, SIM_EACH_31, SIM_EACH_30,         \
           SIM_EACH_29, SIM_EACH_28, SIM_EACH_27, SIM_EACH_26, SIM_EACH_25, SIM_EACH_24,         \
           SIM_EACH_23, SIM_EACH_22, SIM_EACH_21, SIM_EACH_20, SIM_EACH_19, SIM_EACH_18,         \
           SIM_EACH_17, SIM_EACH_16, SIM_EACH_15, SIM_EACH_14, SIM_EACH_13, SIM_EACH_12,         \
           SIM_EACH_11, SIM_EACH_10, SIM_EACH_9, SIM_EACH_8, SIM_EACH_7, SIM_EACH_6, SIM_EACH_5, \
           SIM_EACH_4, SIM_EACH_3, SIM_EACH_2, SIM_EACH_1, _)(F, S, __VA_ARGS__)
#define SIM_EACH_1(F, S, p) F p
#define SIM_EACH_2(F, S, p, ...) F p S() SIM_EACH_1(F, S, __VA_ARGS__)
#define SIM_EACH_3(F, S, p, ...) F p S() SIM_EACH_2(F, S, __VA_ARGS__)
#define SIM_EACH_4(F, S, p, ...) F p S() SIM_EACH_3(F, S, __VA_ARGS__)
#define SIM_EACH_5(F, S, p, ...) F p S() SIM_EACH_4(F, S, __VA_ARGS__)
#define SIM_EACH_6(F, S, p, ...) F p S() SIM_EACH_5(F, S, __VA_ARGS__)
#define SIM_EACH_7(F, S, p, ...) F p S() SIM_EACH_6(F, S, __VA_ARGS__)
#define SIM_EACH_8(F, S, p, ...) F p S() SIM_EACH_7(F, S, __VA_ARGS__)
#define SIM_EACH_9(F, S, p, ...) F p S() SIM_EACH_8(F, S, __VA_ARGS__)
#define SIM_EACH_10(F, S, p, ...) F p S() SIM_EACH_9(F, S, __VA_ARGS__)
#define SIM_EACH_11(F, S, p, ...) F p S() SIM_EACH_10(F, S, __VA_ARGS__)
#define SIM_EACH_12(F, S, p, ...) F p S() SIM_EACH_11(F, S, __VA_ARGS__)
#define SIM_EACH_13(F, S, p, ...) F p S() SIM_EACH_12(F, S, __VA_ARGS__)
#define SIM_EACH_14(F, S, p, ...) F p S() SIM_EACH_13(F, S, __VA_ARGS__)
#define SIM_EACH_15(F, S, p, ...) F p S() SIM_EACH_14(F, S, __VA_ARGS__)
#define SIM_EACH_16(F, S, p, ...) F p S() SIM_EACH_15(F, S, __VA_ARGS__)
#define SIM_EACH_17(F, S, p, ...) F p S() SIM_EACH_16(F, S, __VA_ARGS__)
#define SIM_EACH_18(F, S, p, ...) F p S() SIM_EACH_17(F, S, __VA_ARGS__)
#define SIM_EACH_19(F, S, p, ...) F p S() SIM_EACH_18(F, S, __VA_ARGS__)
#define SIM_EACH_20(F, S, p, ...) F p S() SIM_EACH_19(F, S, __VA_ARGS__)
#define SIM_EACH_21(F, S, p, ...) F p S() SIM_EACH_20(F, S, __VA_ARGS__)
#define SIM_EACH_22(F, S, p, ...) F p S() SIM_EACH_21(F, S, __VA_ARGS__)
#define SIM_EACH_23(F, S, p, ...) F p S() SIM_EACH_22(F, S, __VA_ARGS__)
#define SIM_EACH_24(F, S, p, ...) F p S() SIM_EACH_23(F, S, __VA_ARGS__)
#define SIM_EACH_25(F, S, p, ...) F p S() SIM_EACH_24(F, S, __VA_ARGS__)
#define SIM_EACH_26(F, S, p, ...) F p S() SIM_EACH_25(F, S, __VA_ARGS__)
#define SIM_EACH_27(F, S, p, ...) F p S() SIM_EACH_26(F, S, __VA_ARGS__)
#define SIM_EACH_28(F, S, p, ...) F p S() SIM_EACH_27(F, S, __VA_ARGS__)
#define SIM_EACH_29(F, S, p, ...) F p S() SIM_EACH_28(F, S, __VA_ARGS__)
#define SIM_EACH_30(F, S, p, ...) F p S() SIM_EACH_29(F, S, __VA_ARGS__)
#define SIM_EACH_31(F, S, p, ...) F p S() SIM_EACH_30(F, S, __VA_ARGS__)
#define SIM_EACH_32(F, S, p, ...) F p S() SIM_EACH_31(F, S, __VA_ARGS__)
#define SIM_EACH_33(F, S, p, ...) F p S() SIM_EACH_32(F, S, __VA_ARGS__)
#define SIM_EACH_34(F, S, p, ...) F p S() SIM_EACH_33(F, S, __VA_ARGS__)
#define SIM_EACH_35(F, S, p, ...) F p S() SIM_EACH_34(F, S, __VA_ARGS__)
#define SIM_EACH_36(F, S, p, ...) F p S() SIM_EACH_35(F, S, __VA_ARGS__)
#define SIM_EACH_37(F, S, p, ...) F p S() SIM_EACH_36(F, S, __VA_ARGS__)
#define SIM_EACH_38(F, S, p, ...) F p S() SIM_EACH_37(F, S, __VA_ARGS__)
#define SIM_EACH_39(F, S, p, ...) F p S() SIM_EACH_38(F, S, __VA_ARGS__)
#define SIM_EACH_40(F, S, p, ...) F p S() SIM_EACH_39(F, S, __VA_ARGS__)
#define SIM_EACH_41(F, S, p, ...) F p S() SIM_EACH_40(F, S, __VA_ARGS__)
#define SIM_EACH_42(F, S, p, ...) F p S() SIM_EACH_41(F, S, __VA_ARGS__)
#define SIM_EACH_43(F, S, p, ...) F p S() SIM_EACH_42(F, S, __VA_ARGS__)
#define SIM_EACH_44(F, S, p, ...) F p S() SIM_EACH_43(F, S, __VA_ARGS__)
#define SIM_EACH_45(F, S, p, ...) F p S() SIM_EACH_44(F, S, __VA_ARGS__)
#define SIM_EACH_46(F, S, p, ...) F p S() SIM_EACH_45(F, S, __VA_ARGS__)
#define SIM_EACH_47(F, S, p, ...) F p S() SIM_EACH_46(F, S, __VA_ARGS__)
#define SIM_EACH_48(F, S, p, ...) F p S() SIM_EACH_47(F, S, __VA_ARGS__)
#define SIM_EACH_49(F, S, p, ...) F p S() SIM_EACH_48(F, S, __VA_ARGS__)
#define SIM_EACH_50(F, S, p, ...) F p S() SIM_EACH_49(F, S, __VA_ARGS__)
#define SIM_EACH_51(F, S, p, ...) F p S() SIM_EACH_50(F, S, __VA_ARGS__)
#define SIM_EACH_52(F, S, p, ...) F p S() SIM_EACH_51(F, S, __VA_ARGS__)
#define SIM_EACH_53(F, S, p, ...) F p S() SIM_EACH_52(F, S, __VA_ARGS__)
#define SIM_EACH_54(F, S, p, ...) F p S() SIM_EACH_53(F, S, __VA_ARGS__)
#define SIM_EACH_55(F, S, p, ...) F p S() SIM_EACH_54(F, S, __VA_ARGS__)
#define SIM_EACH_56(F, S, p, ...) F p S() SIM_EACH_55(F, S, __VA_ARGS__)
#define SIM_EACH_57(F, S, p, ...) F p S() SIM_EACH_56(F, S, __VA_ARGS__)
#define SIM_EACH_58(F, S, p, ...) F p S() SIM_EACH_57(F, S, __VA_ARGS__)
#define SIM_EACH_59(F, S, p, ...) F p S() SIM_EACH_58(F, S, __VA_ARGS__)
#define SIM_EACH_60(F, S, p, ...) F p S() SIM_EACH_59(F, S, __VA_ARGS__)
#define SIM_EACH_61(F, S, p, ...) F p S() SIM_EACH_60(F, S, __VA_ARGS__)
#define SIM_EACH_62(F, S, p, ...) F p S() SIM_EACH_61(F, S, __VA_ARGS__)
#define SIM_EACH_63(F, S, p, ...) F p S() SIM_EACH_62(F, S, __VA_ARGS__)
#define SIM_EACH_64(F, S, p, ...) F p S() SIM_EACH_63(F, S, __VA_ARGS__)
