/*
 * Numbers of no speculation: speculate() ends its clause silently, commit() and discard() do nothing; beyond nspec or
 * below 0 they fault.
 * @args -x nspec=4
 * @stderr
 * @ref d-language 17.2 speculate-bad-id commit-unused-id commit-bad-id discard-bad-id commit-after-discard
 * @ref d-language 22.1 illop
 * @ref options 5.4 id-zero
 */
#pragma D option quiet

int before, after, done;

BEGIN { spec = speculation(); unused = 3; beyond = 5; minus = -1; zero = 0; }
BEGIN { before++; speculate(zero); printf("not reached\n"); after++; }
BEGIN { before++; speculate(minus); printf("not reached\n"); after++; }
BEGIN { before++; speculate(beyond); printf("not reached\n"); after++; }
BEGIN { before++; speculate(unused); printf("not reached\n"); after++; }
BEGIN { before++; commit(zero); done++; }
BEGIN { before++; commit(unused); done++; }
BEGIN { before++; discard(zero); done++; }
BEGIN { before++; discard(unused); done++; }
BEGIN { before++; commit(beyond); after++; }
BEGIN { before++; commit(minus); after++; }
BEGIN { before++; discard(beyond); after++; }
BEGIN { before++; discard(minus); after++; }
BEGIN { speculate(spec); printf("dropped\n"); }
BEGIN { discard(spec); }
BEGIN { commit(spec); done++; }
BEGIN { before++; speculate(spec); printf("not reached\n"); after++; }
BEGIN { printf("before %d after %d done %d\n", before, after, done); exit(0); }

ERROR
{
	@faults[arg2, arg4] = count();
}

END
{
	printa("clause %d fault %d\n", @faults);
}
