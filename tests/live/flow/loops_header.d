/*
 * Not quiet: each iteration that records something makes a line of its own, between those of what
 * stands before the loop and after it; an iteration that records nothing makes none.
 * @filter 's/^ +[0-9]+( +[0-9]+ +:(BEGIN|END))/  N\1/'
 * @ref d-language 5.3 order-on-a-cpu
 */
BEGIN { for (i = 0; i < 3; i++) trace(i); }
BEGIN { trace("before"); for (i = 0; i < 2; i++) { trace(i); trace("in"); } trace("after"); }
BEGIN { for (i = 0; i < 4; i++) if (i & 1) trace(i); }
BEGIN { for (i = 0; i < 2; i++) n++; }
BEGIN { for (i = 0; i < 0; i++) trace("never"); }
BEGIN { for (i = 0; i < 2; i++) @a[i] = count(); }
BEGIN { for (i = 0; i < 2; i++) { printf("outer %d", i); for (j = 0; j < 2; j++) printf("inner %d%d", i, j); } }
BEGIN { for (i = 0; i < 2; i++) printf("a line\n"); }
BEGIN { x["k"] = 1; foreach (k in x) trace(k); }
BEGIN { if (n) for (i = 0; i < 1; i++) trace("in a branch"); trace("end"); exit(0); }
