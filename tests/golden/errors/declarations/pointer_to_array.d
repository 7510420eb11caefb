/*
 * A pointer to an associative array.
 * @args -x errtags
 */
int (*a)[int];

BEGIN { trace(1); }
