/*
 * An argument that doubles with each inline: the budget ends it, where the use is.
 * @args -x errtags
 * @ref d-errors 2.1 D_UNKNOWN
 */
inline int f0[int x] = x;
inline int f1[int x] = f0[x + x];
inline int f2[int x] = f1[x + x];
inline int f3[int x] = f2[x + x];
inline int f4[int x] = f3[x + x];
inline int f5[int x] = f4[x + x];
inline int f6[int x] = f5[x + x];
inline int f7[int x] = f6[x + x];
inline int f8[int x] = f7[x + x];
inline int f9[int x] = f8[x + x];
inline int f10[int x] = f9[x + x];
inline int f11[int x] = f10[x + x];
inline int f12[int x] = f11[x + x];
inline int f13[int x] = f12[x + x];
BEGIN { trace(1); }
BEGIN { trace(f12[(int)arg0]); trace(f13[
	f3[(int)arg0]]); }
