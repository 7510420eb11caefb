/*
 * Each kind of fault: its message on stderr; the clause's record is gone, the next clause runs.
 * @stderr
 * @filter 's/clause_([56]) (.*)\(0x[0-9a-f]+\)/clause_\1 \2(OFFSET)/'
 * @ref d-language 22.3 form address index no-address-minus-one
 * @ref output 2 fault-drops-record later-clauses-run; output 14 message quiet-unaffected phrases detail-address detail-minus-one detail-index
 * @ref d-errors 4 shape phrases in-quiet-mode no-address-minus-one
 * @ref d-language 22 one-line
 * @ref d-builtins 0 null-strings-fault
 * @ref d-language 6.4 signed unsigned
 * @ref d-language 11.2 run-time-index
 * @ref d-language 8.3 unset-string-used
 * @ref d-language 10.5 null-pointer
 * @ref d-builtins 8.3 null-string
 * @ref d-language 11.1 fault-address
 */
#pragma D option quiet

BEGIN { zero = 0; hundred = 100; minus = -1; null = (string)NULL; empty["x"] = "s"; self->nothing = null; }

BEGIN { printf("NULL"); trace(*(int *)0); }
BEGIN { printf("low"); trace(*(int64_t *)8); }
BEGIN { printf("no kernel address"); trace(*(char *)0x7fffffffffffffff); }
BEGIN { printf("negative"); trace(*(char *)-1); }
BEGIN { printf("member"); trace(((struct task_struct *)NULL)->pid); }
BEGIN { printf("chain"); trace(((struct task_struct *)16)->mm->pgd); }
BEGIN { printf("tracemem"); tracemem(16, 8); }
BEGIN { printf("divide"); trace(1 / zero); }
BEGIN { printf("modulo"); trace(1 % zero); }
BEGIN { printf("assign"); zero /= zero; }
BEGIN { printf("divide 64"); trace((uint64_t)hundred / (uint64_t)zero); }
BEGIN { printf("known"); trace(1 / (int)arg0); }
BEGIN { printf("index"); trace(curthread->comm[hundred]); }
BEGIN { printf("index -1"); trace(curthread->comm[minus]); }
BEGIN { printf("copyin"); tracemem(copyin(1, 8), 8); }
BEGIN { printf("copyin 0"); this->p = copyin(0, 8); }
BEGIN { printf("copyinstr"); trace(copyinstr(0)); }
BEGIN { printf("copyinstr"); trace(copyinstr(4096, 10)); }
BEGIN { printf("stringof"); trace(stringof((char *)NULL)); }
BEGIN { printf("NULL string"); trace(null); }
BEGIN { printf("NULL strlen"); trace(strlen(null)); }
BEGIN { printf("NULL strjoin"); trace(strjoin("a", null)); }
BEGIN { printf("NULL basename"); trace(basename(null)); }
BEGIN { printf("NULL %%s"); printf("%s", null); }
BEGIN { printf("NULL key"); @[null] = count(); }
BEGIN { printf("unset"); trace(empty["y"]); }
BEGIN { printf("self"); trace(self->nothing); }
BEGIN { printf("NULL compares: %d %d\n", null == NULL, null == "a"); }
BEGIN { printf("done\n"); exit(0); }
