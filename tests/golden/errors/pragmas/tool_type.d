/* An unknown type of a parameter; those that there are. */
#pragma tool param p number "a number"
inline int p = 0;
BEGIN { exit(p); }
