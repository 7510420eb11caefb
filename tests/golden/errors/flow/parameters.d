/*
 * Two parameters of a name.
 * @args -x errtags
 */
int f(int a, string a) { return 0; }
