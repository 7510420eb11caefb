/*
 * What is speculated appears where the commit() is, as if recorded there, with the header of the
 * probe that recorded it; discard() drops it; commit() and discard() print nothing themselves;
 * what is never committed is not seen.
 * @ref d-language 17.2 speculate commit discard commit-only-clause uncommitted-at-exit
 * @ref output 12 own-prefix when-committed commit-prints-nothing order discard unfinished
 * @ref d-language 5.4 speculate-only nothing-recorded
 * @args -x nspec=5
 * @trigger calls getppid 2
 * @filter 's/^ +[0-9]+ +[0-9]+ /  N N /'
 */
BEGIN { a = speculation(); b = speculation(); c = speculation(); d = speculation(); e = speculation(); }
BEGIN { speculate(a); trace("of a"); printf(" %s", probename); }
BEGIN { speculate(b); trace("of b"); }
BEGIN { speculate(a); }
BEGIN { trace("at once"); }
BEGIN { speculate(c); trace("of c"); x = 5; }
BEGIN { speculate(d); trace("of d"); }
BEGIN { speculate(e); trace("of e, which nobody commits"); }
BEGIN { speculate(a); trace(x); }
BEGIN { discard(c); }
BEGIN { trace("before a"); }
BEGIN { commit(a); }
BEGIN { trace("before b"); }
BEGIN { commit(b); n = 3; }
BEGIN { trace(n); }

syscall::getppid:entry /pid == $target/ { speculate(d); printf("entry %d", ++entries); }
syscall::getppid:return /pid == $target/ { speculate(d); printf("return"); }
END { trace("at the end"); }
END { commit(d); }
END { trace("the last"); }
