/* A parameter that no inline follows. */
BEGIN { exit(0); }
#pragma tool param p int "a number"
