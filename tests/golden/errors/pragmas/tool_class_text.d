/* A text that is a number in D. */
#pragma tool param p string "a name"
inline int p = 0;
BEGIN { exit(p); }
