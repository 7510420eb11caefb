/*
 * A clause of speculate() alone records the default action; one of commit() alone nothing.
 * @filter 's/^ +[0-9]+( +[0-9]+ +:)/  0\1/'
 * @ref d-language 5.4 speculate-only nothing-recorded
 * @ref output 2 speculate-only commit-discard
 * @ref d-language 17.2 commit-only-clause
 * @ref d-language 17.1 after-discard after-commit
 */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); }
BEGIN { trace("before"); }
BEGIN { commit(self->s); }
BEGIN { discard(0); trace("discard, then data"); }
BEGIN { commit(0); discard(0); x = 1; }
BEGIN { exit(0); }
