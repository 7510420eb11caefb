/*
 * ILLOP: commit and discard of numbers that cannot be, link layers and address families that are not known.
 * @stderr
 * @ref d-language 22.1 illop
 * @ref d-language 17.2 commit-bad-id discard-bad-id commit-unused-id
 * @ref d-builtins 3.3 inet_ntop link_ntop
 * @ref d-language 5.1 error-output-after-begin
 * @ref d-errors 4 phrases
 */
#pragma D option quiet

BEGIN { commit(2); }
BEGIN { discard(100); }
BEGIN { commit(-1); }
BEGIN { discard(-7); }
BEGIN { commit(0); discard(1); }
BEGIN { this->a = alloca(32); x = link_ntop(2, this->a) != ""; }
BEGIN { this->c = (char *)alloca(32); this->c[0] = 0; this->c[1] = 1; this->c[2] = 2;
	this->c[3] = 3; this->c[4] = 0xfd; this->c[5] = 0xfe; printf("%s\n", link_ntop(1, this->c)); }
BEGIN { this->a = alloca(32); this->af = 3; x = inet_ntop(this->af, this->a) != ""; }
BEGIN { exit(0); }
ERROR { printf("code %d value %d\n", arg4, arg5); }
