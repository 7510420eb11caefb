/*
 * What a function can return.
 * @args -x errtags
 */
struct point { int x; };
struct point p;
struct point f(void) { return p; }
