/*
 * Translators that use the one before twice: the budget ends the doubling.
 * @args -x errtags
 * @ref d-errors 2.1 D_UNKNOWN
 */
struct s0 { int m; };
translator struct s0 < int p > { m = p; };
struct s1 { int m; };
translator struct s1 < int p > { m = xlate <struct s0> (p).m + xlate <struct s0> (p).m; };
struct s2 { int m; };
translator struct s2 < int p > { m = xlate <struct s1> (p).m + xlate <struct s1> (p).m; };
struct s3 { int m; };
translator struct s3 < int p > { m = xlate <struct s2> (p).m + xlate <struct s2> (p).m; };
struct s4 { int m; };
translator struct s4 < int p > { m = xlate <struct s3> (p).m + xlate <struct s3> (p).m; };
struct s5 { int m; };
translator struct s5 < int p > { m = xlate <struct s4> (p).m + xlate <struct s4> (p).m; };
struct s6 { int m; };
translator struct s6 < int p > { m = xlate <struct s5> (p).m + xlate <struct s5> (p).m; };
struct s7 { int m; };
translator struct s7 < int p > { m = xlate <struct s6> (p).m + xlate <struct s6> (p).m; };
struct s8 { int m; };
translator struct s8 < int p > { m = xlate <struct s7> (p).m + xlate <struct s7> (p).m; };
struct s9 { int m; };
translator struct s9 < int p > { m = xlate <struct s8> (p).m + xlate <struct s8> (p).m; };
struct s10 { int m; };
translator struct s10 < int p > { m = xlate <struct s9> (p).m + xlate <struct s9> (p).m; };
struct s11 { int m; };
translator struct s11 < int p > { m = xlate <struct s10> (p).m + xlate <struct s10> (p).m; };
struct s12 { int m; };
translator struct s12 < int p > { m = xlate <struct s11> (p).m + xlate <struct s11> (p).m; };
struct s13 { int m; };
translator struct s13 < int p > { m = xlate <struct s12> (p).m + xlate <struct s12> (p).m; };
struct s14 { int m; };
translator struct s14 < int p > { m = xlate <struct s13> (p).m + xlate <struct s13> (p).m; };
struct s15 { int m; };
translator struct s15 < int p > { m = xlate <struct s14> (p).m + xlate <struct s14> (p).m; };
struct s16 { int m; };
translator struct s16 < int p > { m = xlate <struct s15> (p).m + xlate <struct s15> (p).m; };
struct s17 { int m; };
translator struct s17 < int p > { m = xlate <struct s16> (p).m + xlate <struct s16> (p).m; };
struct s18 { int m; };
translator struct s18 < int p > { m = xlate <struct s17> (p).m + xlate <struct s17> (p).m; };
struct s19 { int m; };
translator struct s19 < int p > { m = xlate <struct s18> (p).m + xlate <struct s18> (p).m; };
struct s20 { int m; };
translator struct s20 < int p > { m = xlate <struct s19> (p).m + xlate <struct s19> (p).m; };
BEGIN { trace(xlate <struct s20> ((int)arg0).m); }
