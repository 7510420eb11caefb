/* An inline with parameters of its own. */
#pragma tool param p int "a number"
inline int p[int x] = x;
BEGIN { exit(p[1]); }
