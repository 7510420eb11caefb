/*
 * Speculations and control flow: what follows a speculate(), loops and functions included, goes to it;
 * a branch that speculates, a commit() or discard() in branches.
 * @ref d-language 17.1 after-speculate after-commit after-discard
 * @args -x nspec=4
 * @filter 's/^ +[0-9]+( +[0-9]+ +:(BEGIN|END))/  N\1/'
 */
void note(int n, string s) { speculate(n); trace(s); }

BEGIN { a = speculation(); b = speculation(); c = speculation(); d = speculation(); }
BEGIN { speculate(a); trace("before"); for (this->i = 0; this->i < 3; this->i++) trace(this->i); trace("after"); }
BEGIN { if (b) { speculate(b); trace("in a branch"); } }
BEGIN { if (!b) { speculate(b); trace("never"); } }
BEGIN { if (!b) { speculate(b); trace("never"); } else { trace("not speculated"); } }
BEGIN { if (b) { trace("neither"); } else commit(b); }
BEGIN { note(c, "by a function"); }
BEGIN { note(d, "dropped"); }
BEGIN { trace("first"); }
BEGIN { for (this->i = 0; this->i < 2; this->i++) { if (this->i) commit(a); else discard(d); } }
BEGIN { if (b) commit(b); else discard(b); }
BEGIN { if (!c) discard(c); else commit(c); }
BEGIN { commit(d); }
BEGIN { exit(0); }
