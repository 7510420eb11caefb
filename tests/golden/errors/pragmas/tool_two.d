/* Two parameters above one inline. */
#pragma tool param p int "a number"
#pragma tool param q int "another"
inline int p = 0;
BEGIN { exit(p); }
