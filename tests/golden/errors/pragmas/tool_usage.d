/* The text of a usage stands in quotes. */
#pragma tool usage x: y
BEGIN { exit(0); }
