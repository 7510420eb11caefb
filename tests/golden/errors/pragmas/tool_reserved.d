/* Options that each tool has. */
#pragma tool param output int "a number"
inline int p = 0;
BEGIN { exit(p); }
