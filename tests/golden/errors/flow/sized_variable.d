/*
 * A length that is no constant.
 * @args -x errtags
 */
int n;
string<n> s;
