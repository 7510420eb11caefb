/* A word after "#pragma tool" that means nothing. */
#pragma tool uses "x: y"
BEGIN { exit(0); }
