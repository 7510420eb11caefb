/*
 * Each access through a scratch pointer must lie in what is allocated.  Fault values are offsets that start at 8.
 * @stderr
 * @ref d-language 11.3 bounds size
 * @ref d-builtins 3.1 alloca-zero
 * @ref d-language 22.1 badaddr
 * @ref d-language 22.2 arg5-value
 * @ref d-language 22.3 address
 */
#pragma D option quiet

BEGIN { this->p = (char *)alloca(8); trace(this->p[8]); }
BEGIN { this->p = (char *)alloca(8); this->p[8] = 1; }
BEGIN { this->p = (char *)alloca(1); this->p[7] = 1; printf("%d\n", this->p[7]); }
BEGIN { this->p = (char *)alloca(16); trace(*(int *)(this->p + 13)); }
BEGIN { this->p = (char *)alloca(16); *(int *)(this->p + 13) = 1; }
BEGIN { this->p = (char *)alloca(8); i = 1000; this->p[i] = 1; }
BEGIN { this->p = (char *)alloca(8); i = 100000; trace(this->p[i]); }
BEGIN { this->p = (char *)alloca(0); trace(*this->p); }
BEGIN { this->p = (char *)alloca(8); this->p = 0; trace(*this->p); }
BEGIN { this->p = (char *)alloca(8); this->p = 0; this->p[3] = 1; }
BEGIN { this->p = (char *)alloca(8); this->q = (char *)alloca(8); this->p[8] = 1; printf("%d\n", this->q[0]); }
BEGIN { this->l = (long *)alloca(8); this->l[1]++; }
BEGIN { exit(0); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
