/*
 * An inline whose value has another type.
 * @args -x errtags
 */
inline int x = "a";

BEGIN { trace(1); }
