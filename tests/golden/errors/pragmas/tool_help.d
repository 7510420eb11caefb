/* A parameter without its help. */
#pragma tool param p int
inline int p = 0;
BEGIN { exit(p); }
