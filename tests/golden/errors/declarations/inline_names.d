/*
 * A parameter of an inline is named once.
 * @args -x errtags
 * @ref d-errors 2.13
 */
inline int f[int a, int a] = 1;
