/*
 * -C: the file that was given, or the one that is included.
 * @args -C -x explain
 */
#define ONE 1
BEGIN { trace(ONE + ); }
# 7 "other.d"
END { trace(ONE + ); }
