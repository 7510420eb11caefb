/*
 * A function with actions, called as a statement, acts as if its statements stood there; in a loop
 * and with loops of its own; return ends the function only.
 * @status 4
 * @filter 's/^ +[0-9]+( +[0-9]+ +:(BEGIN|END))/  N\1/'
 */
void one(int n) { trace(n); if (n > 2) return; trace("small"); }
int valued(int n) { trace(n); return n; }
void loop(int n) { for (this->i = 0; this->i < n; this->i++) trace(this->i); trace("end"); }
void counted(int n, string s) { @a[n, s] = count(); @sum = sum(n); }
void divide(int n) { trace(n); trace(10 / n); }
void leave(int n) { if (n) exit(n); }

int x;

BEGIN { one(1); one(3); }
BEGIN { trace("x"); valued(4); }
BEGIN { trace("begin"); loop(2); }
BEGIN { for (this->j = 2; this->j < 4; this->j++) one(this->j); }
BEGIN { counted(1, "a"); counted(2, "b"); counted(1, "a"); }
BEGIN { if (x) one(9); else one(8); }
BEGIN { divide(5); }
BEGIN { leave(0); trace("stays"); }
BEGIN { leave(4); trace("and its clause ends"); }
BEGIN { trace("never"); }
