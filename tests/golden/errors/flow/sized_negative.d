/*
 * A string of a negative length.
 * @args -x errtags
 */
string<-1> s;
