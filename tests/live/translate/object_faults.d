/*
 * A member of an object that is not there faults; what has a value that is no object is NULL as well.
 * @ref d-language 16.2 object-null
 * @stderr
 * @filter 's/address \(0x[1-9a-f][0-9a-f]*\)/address (N)/'
 */
#pragma D option quiet

struct out { int value; string text; };
translator struct out < struct task_struct *t > { value = t->tgid; text = stringof(t->comm); };

struct out *global, *element[int];
self struct out *mine;
this struct out *local;

BEGIN { printf("never %d\n", global->value); }
BEGIN { printf("never %s\n", self->mine->text); }
BEGIN { printf("never %d\n", element[1]->value); }
BEGIN { printf("never %d\n", this->local->value); }
BEGIN { global = xlate <struct out *> ((struct task_struct *)NULL); printf("%d\n", global == NULL); }
BEGIN { global = xlate <struct out *> (curthread); self->mine = this->local = element[1] = global; }
BEGIN { printf("%d %d %d\n", self->mine->value == pid, this->local->value == pid, element[1]->value == pid); }
BEGIN { global = NULL; self->mine = NULL; this->local = NULL; element[1] = 0; }
BEGIN { printf("never %d\n", global->value); }
BEGIN { printf("never %d\n", self->mine->value); }
BEGIN { printf("never %d\n", this->local->value); }
BEGIN { printf("never %d\n", element[1]->value); }
BEGIN { print(self->mine); }
/* a member that cannot be read faults where it is copied, and the variable stays what it was */
BEGIN { global = xlate <struct out *> (curthread); }
BEGIN { global = xlate <struct out *> ((struct task_struct *)16); }
BEGIN { printf("%d\n", global->value == pid); exit(0); }

ERROR { printf("fault %d\n", arg4); }
