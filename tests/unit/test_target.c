// SPDX-License-Identifier: Apache-2.0
/* Processes started and followed: how they are held, what is said of their end. */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/target.h"

static char dir[] = "/tmp/test_target.XXXXXX";
static char last_text[128];
static pid_t last_pid;
static int deaths;

static void died(void *arg, pid_t pid, const char *text)
{
	deaths++;
	last_pid = pid;
	snprintf(last_text, sizeof(last_text), "%s", text);
	CHECK_STR((const char *)arg, "arg");
}

/* Wait for a death and take notice of it; how many are alive. */
static int wait_death(struct targets *t)
{
	struct pollfd p = {.fd = targets_poll_fd(t), .events = POLLIN};

	deaths = 0;
	CHECK_INT(poll(&p, 1, 10000), 1);
	return targets_reap(t, died, (char *)"arg");
}

static void check_quiet(struct targets *t)
{
	struct pollfd p = {.fd = targets_poll_fd(t), .events = POLLIN};

	CHECK_INT(poll(&p, 1, 0), 0);
}

/* Run CMD, whose death is to be told as "pid N TEXT". */
static void check_run(const char *cmd, enum target_stop where, const char *text)
{
	struct targets *t = targets_new();
	const char *err = "";
	char want[128];
	int pid = targets_create(t, cmd, where, &err);

	CHECK(pid > 0);
	CHECK_INT(targets_first(t), pid);
	CHECK_INT(targets_count(t), 1);
	CHECK_INT(targets_resume(t), 0);
	CHECK_INT(wait_death(t), 0);
	CHECK_INT(deaths, 1);
	CHECK_INT(last_pid, pid);
	snprintf(want, sizeof(want), "pid %d %s", pid, text);
	CHECK_STR(last_text, want);
	check_quiet(t);
	CHECK_INT(targets_reap(t, died, NULL), 0);
	CHECK_INT(deaths, 1);
	targets_free(t);
}

static void check_fails(const char *cmd, int code, const char *text)
{
	struct targets *t = targets_new();
	const char *err = "";

	CHECK_INT(targets_create(t, cmd, TARGET_STOP_POSTINIT, &err), code);
	CHECK_STR(err, text);
	CHECK_INT(targets_count(t), 0);
	CHECK_INT(targets_first(t), 0);
	CHECK_INT(targets_reap(t, NULL, NULL), 0);
	check_quiet(t);
	targets_free(t);
	/* nothing is left behind */
	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static int write_file(const char *path, const char *text, mode_t mode)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	fputs(text, f);
	fclose(f);
	return chmod(path, mode);
}

static const char source[] =
	"#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
	"__attribute__((constructor)) static void early(void) { write(atoi(getenv(\"T_FD\")), "
	"\"c\", 1); }\n"
	"int main(int argc, char **argv) {\n"
	"	sigset_t m; struct sigaction usr1, int_;\n"
	"	write(atoi(getenv(\"T_FD\")), \"m\", 1);\n"
	"	sigprocmask(SIG_BLOCK, 0, &m);\n"
	"	sigaction(SIGUSR1, 0, &usr1); sigaction(SIGINT, 0, &int_);\n"
	"	return (argc > 2) | sigismember(&m, SIGUSR2) << 1 | !sigismember(&m, SIGHUP) << 2\n"
	"		| (usr1.sa_handler != SIG_IGN) << 3 | (int_.sa_handler != SIG_DFL) << 4; "
	"}\n";

static void handler(int sig)
{
}

/*
 * A program that writes when its constructor and its main() run, and whose exit status tells
 * whether it has the signals that were set before targets_new().
 */
static void check_held(const char *exe, enum target_stop where, int fd)
{
	char cmd[128], want[64], bytes[8];
	struct targets *t;
	const char *err = "";
	int pid;

	signal(SIGUSR1, SIG_IGN);
	signal(SIGINT, SIG_DFL); /* a shell ignores it for what it runs in the background */
	sigset_t hup, usr2;
	sigemptyset(&hup);
	sigaddset(&hup, SIGHUP);
	sigprocmask(SIG_BLOCK, &hup, NULL);
	t = targets_new();
	/* what is changed later is not passed on */
	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	sigprocmask(SIG_BLOCK, &usr2, NULL);
	signal(SIGUSR1, SIG_DFL);
	signal(SIGINT, handler);
	snprintf(cmd, sizeof(cmd), "  %s\t one\n", exe);
	pid = targets_create(t, cmd, where, &err);
	CHECK(pid > 0);
	usleep(20000);
	if (where < TARGET_STOP_POSTINIT) {
		CHECK_INT(read(fd, bytes, sizeof(bytes)), -1); /* nothing ran */
	} else { /* the constructor ran, main() did not */
		CHECK_INT(read(fd, bytes, sizeof(bytes)), 1);
		CHECK_INT(bytes[0], 'c');
	}
	check_quiet(t);
	CHECK_INT(targets_reap(t, died, (char *)"arg"), 1);
	targets_resume(t);
	CHECK_INT(wait_death(t), 0);
	snprintf(want, sizeof(want), "pid %d has exited", pid);
	CHECK_STR(last_text, want);
	CHECK_INT(read(fd, bytes, sizeof(bytes)), where < TARGET_STOP_POSTINIT ? 2 : 1);
	CHECK_INT(bytes[where < TARGET_STOP_POSTINIT], 'm');
	targets_free(t);
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &usr2, NULL);
	sigprocmask(SIG_UNBLOCK, &hup, NULL);
}

static void check_programs(void)
{
	/* without symbols, too */
	static const char *const flags[] = {"-fPIE -pie", "-no-pie -fno-pie", "-static",
		"-static-pie -fPIE", "-fPIE -pie -s", "-no-pie -fno-pie -s", "-static -s", "-m32"};
	char src[64], exe[64], cmd[256], value[16];
	int fds[2];

	snprintf(src, sizeof(src), "%s/p.c", dir);
	snprintf(exe, sizeof(exe), "%s/p", dir);
	write_file(src, source, 0600);
	if (pipe2(fds, O_NONBLOCK))
		return;
	snprintf(value, sizeof(value), "%d", fds[1]);
	setenv("T_FD", value, 1);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		snprintf(cmd, sizeof(cmd), "cc -w %s -o %s %s 2>/dev/null", flags[i], exe, src);
		if (system(cmd)) {
			printf("note: cc %s does not work here, part left out\n", flags[i]);
			continue;
		}
		for (int where = TARGET_STOP_EXEC; where <= TARGET_STOP_MAIN; where++)
			check_held(exe, (enum target_stop)where, fds[0]);
	}
	close(fds[0]);
	close(fds[1]);
	unlink(src);
	unlink(exe);
}

/* A held process is stopped, and one that is not at the end of execve(2) has its libraries. */
static void check_stop_place(void)
{
	struct targets *t = targets_new();
	const char *err;
	int at_exec = targets_create(t, "sleep 100", TARGET_STOP_EXEC, &err), held[3];
	char cmd[128];

	snprintf(cmd, sizeof(cmd), "grep -q 'libc[.-]' /proc/%d/maps", at_exec);
	CHECK(system(cmd) != 0);
	for (int i = 0; i < 3; i++) {
		held[i] = targets_create(
			t, "sleep 100", (enum target_stop)(TARGET_STOP_PREINIT + i), &err);
		snprintf(cmd, sizeof(cmd), "grep -q 'libc[.-]' /proc/%d/maps", held[i]);
		CHECK_INT(system(cmd), 0);
		snprintf(cmd, sizeof(cmd), "grep -q '^State:.*t ' /proc/%d/status", held[i]);
		CHECK_INT(system(cmd), 0);
	}
	CHECK_INT(targets_first(t), at_exec);
	CHECK_INT(targets_count(t), 4);
	targets_free(t);
	CHECK(kill(at_exec, 0) && errno == ESRCH);
	for (int i = 0; i < 3; i++)
		CHECK(kill(held[i], 0) && errno == ESRCH);
}

static void check_kill(void)
{
	struct targets *t = targets_new();
	const char *err;
	int running = targets_create(t, "sleep 100", TARGET_STOP_POSTINIT, &err), held, n;
	char want[64];

	targets_resume(t);
	held = targets_create(t, "sleep 100", TARGET_STOP_POSTINIT, &err);
	CHECK_INT(targets_reap(t, NULL, NULL), 2);
	/* dies while held */
	kill(held, SIGKILL);
	CHECK_INT(wait_death(t), 1);
	snprintf(want, sizeof(want), "pid %d terminated by SIGKILL", held);
	CHECK_STR(last_text, want);
	targets_resume(t);
	n = targets_reap(t, NULL, NULL);
	CHECK_INT(n, 1);
	targets_free(t);
	CHECK(kill(running, 0) && errno == ESRCH);
}

static void check_grab(void)
{
	struct targets *t = targets_new();
	const char *err = "";
	char want[64];
	pid_t pid;

	CHECK_INT(targets_grab(t, 0x3fffffff, &err), -ESRCH);
	CHECK_STR(err, "No such process");
	CHECK_INT(targets_grab(t, -1, &err), -ESRCH);
	CHECK_INT(targets_grab(t, getpid(), &err), -EINVAL);
	CHECK_INT(targets_count(t), 0);
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	CHECK_INT(targets_grab(t, pid, &err), 0);
	CHECK_INT(targets_grab(t, pid, &err), 0);
	CHECK_INT(targets_count(t), 1);
	CHECK_INT(targets_first(t), pid);
	CHECK_INT(targets_resume(t), 0);
	check_quiet(t);
	/* left running by free */
	targets_free(t);
	CHECK_INT(kill(pid, 0), 0);
	CHECK_INT(waitpid(pid, NULL, WNOHANG), 0);
	t = targets_new();
	CHECK_INT(targets_grab(t, pid, &err), 0);
	kill(pid, SIGTERM);
	CHECK_INT(wait_death(t), 0);
	snprintf(want, sizeof(want), "pid %d has exited", pid);
	CHECK_STR(last_text, want);
	CHECK_INT(waitpid(pid, NULL, 0), pid);
	targets_free(t);
}

static void check_errors(void)
{
	char path[64], text[192];

	check_fails("nosuch", -ENOENT, "failed to execute nosuch: No such file or directory");
	check_fails("nosuch -x y", -ENOENT, "failed to execute nosuch: No such file or directory");
	snprintf(path, sizeof(path), "%s/file", dir);
	write_file(path, "text\n", 0600);
	snprintf(text, sizeof(text), "failed to execute %s: Permission denied", path);
	check_fails(path, -EACCES, text);
	unlink(path);
	snprintf(text, sizeof(text), "failed to execute %s: Permission denied", dir);
	check_fails(dir, -EACCES, text);
	check_fails(" \t\n", -EINVAL, "failed to execute \" \t\n\": no command");
}

static void check_script(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/s.sh", dir);
	write_file(path, "#!/bin/sh\nexit 5\n", 0700);
	check_run(path, TARGET_STOP_POSTINIT, "exited with status 5");
	write_file(path, "#!/bin/sh\nkill -SEGV $$\n", 0700);
	check_run(path, TARGET_STOP_MAIN, "terminated by SIGSEGV");
	write_file(path, "#!/bin/sh\nexec true\n", 0700);
	check_run(path, TARGET_STOP_EXEC, "has exited");
	unlink(path);
}

/* A program that ends before its entry point is reached: nothing hangs. */
static void check_early_end(void)
{
	int out = dup(1), null = open("/dev/null", O_WRONLY);

	fflush(stdout);
	dup2(null, 1);
	setenv("LD_TRACE_LOADED_OBJECTS", "1", 1); /* the dynamic linker lists and ends */
	check_run("true", TARGET_STOP_POSTINIT, "has exited");
	unsetenv("LD_TRACE_LOADED_OBJECTS");
	fflush(stdout);
	dup2(out, 1);
	close(out);
	close(null);
}

int main(void)
{
	/* a directory of PATH that can't be searched would make it EACCES (execvp(3)) */
	setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
	if (!mkdtemp(dir))
		test_skip("no place for files in /tmp");
	check_run("true", TARGET_STOP_POSTINIT, "has exited");
	check_run("false", TARGET_STOP_EXEC, "exited with status 1");
	check_script();
	check_early_end();
	signal(SIGCHLD, SIG_IGN); /* then the kernel reaps, and the status is lost */
	check_run("false", TARGET_STOP_POSTINIT, "has exited");
	signal(SIGCHLD, SIG_DFL);
	check_errors();
	check_programs();
	check_stop_place();
	check_kill();
	check_grab();
	rmdir(dir);
	return test_done();
}
