/*
 * Translators.
 * The broken clause at the end keeps this to what the parser says.
 * @ref d-language 16.1
 * @ref d-language 3
 * @status 1
 */
struct out { int a; string b; };
translator struct out < struct task_struct *T >
{
	a = T->pid;
	self = T->a ? sizeof (T) : offsetof(struct out, a);
	b = stringof(T->comm);
};
translator struct out *<uint64_t i>{};
translator struct out < string<8> s > { b = s; };
BEGIN { xlate <struct out> (curthread).self; xlate <struct out *> (1)->a; }
BEGIN { 1 + ; }
