/*
 * Provider declarations.
 * The broken clause at the end keeps this to what the parser says.
 * @ref d-language 23
 * @ref d-language 3
 * @status 1
 */
provider app {
	probe start();
	probe query__start(string text, int len);
	probe query__done(void) : ();
	probe translated(int fd, char *buf) : (string buf, int fd);
	probe any(int, ...);
};
provider empty { };
#pragma D option quiet
provider last { probe a(struct task_struct *, uint64_t[4]); };
BEGIN { 1 + ; }
