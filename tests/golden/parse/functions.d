/*
 * Functions, and prototypes, which are declarations.
 * The broken clause at the end keeps this to what the parser says.
 * @ref d-language 21
 * @ref d-language 7.1
 * @status 1
 */
int square(int n)
{
	return n * n;
}
string<16> name(uint64_t addr, string<8> other)
{
	if (!addr)
		return other;
	return stringof(addr)
}
struct task_struct *none(void) { return NULL; }
void nothing() { }
extern int printk(const char *, ...);
int prototype(int n);
BEGIN { trace(square(square(2))); }
BEGIN { 1 + ; }
