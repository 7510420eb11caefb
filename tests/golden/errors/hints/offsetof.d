/*
 * A member of a type of D.
 * @args -x explain
 */
struct point { int across; int down; };
BEGIN { trace(offsetof(struct point, acros)); trace(((struct point *)0)->dwon); }
END { trace(((struct point *)0)->dwon); }
