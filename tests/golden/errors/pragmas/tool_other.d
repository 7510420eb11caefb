/* A parameter that another declaration follows. */
#pragma tool param p int "a number"
int q;
inline int p = 0;
BEGIN { exit(p); }
