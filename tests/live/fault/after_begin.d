/*
 * A fault in BEGIN: what ERROR assigns is there for the clauses that follow, what it prints comes
 * after all that BEGIN printed. In another probe both come at once.
 * @ref d-language 5.1 error-output-after-begin error-assignments-visible
 * @ref output 14 begin-order
 * @trigger calls getppid 1
 */
#pragma D option quiet

int zero, faults;

BEGIN { printf("one\n"); }
BEGIN { printf("never %d\n", 1 / zero); }
BEGIN { printf("two, %d fault\n", faults); }
BEGIN { printf("never %d\n", 1 / zero); }
BEGIN { printf("three, %d faults\n", faults); }
ERROR { printf("ERROR %d in clause %d\n", ++faults, arg2); }
syscall::getppid:entry /pid == $target/ { printf("four\n"); }
syscall::getppid:entry /pid == $target/ { printf("never %d\n", 1 / zero); }
syscall::getppid:entry /pid == $target/ { printf("five, %d faults\n", faults); }
