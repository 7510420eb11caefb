/*
 * Scratch memory that is used up: NOSCRATCH, whose value is 0.  What other clauses took is not missed.
 * @stderr
 * @ref d-builtins 3.1 alloca-exhausted alloca-zero
 * @ref d-language 11.3 exhaustion
 * @ref d-language 22.1 noscratch
 * @ref d-language 22.2 arg4-code arg5-value
 */
#pragma D option quiet

BEGIN { this->p = (char *)alloca(256); this->q = alloca(1); }
BEGIN { n = 257; this->q = alloca(n); }
BEGIN { n = 100; this->q = alloca(n); this->q = alloca(n); this->q = alloca(n); }
BEGIN { n = -1; this->q = alloca(n); }
BEGIN { this->q = alloca(256); this->q = alloca(0); trace("nothing more is enough\n"); }
BEGIN { this->q = alloca(248); this->q = alloca(8); trace("all\n"); }
BEGIN { this->q = alloca(249); this->q = alloca(1); }
BEGIN { exit(0); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
