/*
 * Functions that call the one before twice: the budget ends the doubling.
 * @args -x errtags
 * @ref d-errors 2.1 D_UNKNOWN
 */
int f0(int x) { return x; }
int f1(int x) { return f0(x) + f0(x); }
int f2(int x) { return f1(x) + f1(x); }
int f3(int x) { return f2(x) + f2(x); }
int f4(int x) { return f3(x) + f3(x); }
int f5(int x) { return f4(x) + f4(x); }
int f6(int x) { return f5(x) + f5(x); }
int f7(int x) { return f6(x) + f6(x); }
int f8(int x) { return f7(x) + f7(x); }
int f9(int x) { return f8(x) + f8(x); }
int f10(int x) { return f9(x) + f9(x); }
int f11(int x) { return f10(x) + f10(x); }
int f12(int x) { return f11(x) + f11(x); }
int f13(int x) { return f12(x) + f12(x); }
int f14(int x) { return f13(x) + f13(x); }
int f15(int x) { return f14(x) + f14(x); }
int f16(int x) { return f15(x) + f15(x); }
int f17(int x) { return f16(x) + f16(x); }
int f18(int x) { return f17(x) + f17(x); }
int f19(int x) { return f18(x) + f18(x); }
int f20(int x) { return f19(x) + f19(x); }
BEGIN { trace(f20(1)); }
