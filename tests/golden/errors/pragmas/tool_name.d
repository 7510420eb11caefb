/* The name of a parameter is an option's. */
#pragma tool param p_1 int "a number"
inline int p = 0;
BEGIN { exit(p); }
