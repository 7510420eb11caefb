/*
 * An object that is no pointer has members of 0 before it is assigned and after it was deleted, as a struct has.
 * @ref d-language 16.2 object-null
 * @stderr
 */
#pragma D option quiet

struct out { int value; string text; };
translator struct out < struct task_struct *t > { value = t->tgid; text = stringof(t->comm); };

struct out element[int];
self struct out mine;

BEGIN { printf("%d '%s' %d '%s'\n", element[1].value, element[1].text, self->mine.value, self->mine.text); }
BEGIN { element[1] = xlate <struct out> (curthread); self->mine = element[1]; }
BEGIN { printf("%d %d %d\n", element[1].value == pid, self->mine.value == pid, self->mine.text == execname); }
BEGIN { element[1] = 0; self->mine = 0; }
BEGIN { printf("%d '%s' %d '%s'\n", element[1].value, element[1].text, self->mine.value, self->mine.text); exit(0); }
