/*
 * A string of no length.
 * @args -x errtags
 */
string<0> s;
