/* A number that is a string in D. */
#pragma tool param p pid "a process"
inline string p = "";
BEGIN { trace(p); exit(0); }
