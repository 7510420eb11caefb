/* SPDX-License-Identifier: Apache-2.0 */
/*
 * empty [-u FUNCTION] OBJECT COMMAND...: run COMMAND while the program in OBJECT is attached to
 * system calls, or with -u to the entry of FUNCTION in COMMAND's file.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct bpf_object *o;
	struct bpf_program *p;
	struct bpf_link *l;
	LIBBPF_OPTS(bpf_uprobe_opts, entry);
	int status = 0;
	pid_t pid;

	if (argc > 2 && !strcmp(argv[1], "-u")) {
		entry.func_name = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 3)
		return 2;
	o = bpf_object__open_file(argv[1], NULL);
	if (!o || bpf_object__load(o)) {
		fprintf(stderr, "empty: cannot load %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	p = bpf_object__next_program(o, NULL);
	l = entry.func_name ? bpf_program__attach_uprobe_opts(p, -1, argv[2], 0, &entry)
			    : bpf_program__attach(p);
	if (!l) {
		fprintf(stderr, "empty: cannot attach: %s\n", strerror(errno));
		return 1;
	}
	pid = fork();
	if (!pid) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		status = 1;
	bpf_link__destroy(l);
	bpf_object__close(o);
	return status != 0;
}
