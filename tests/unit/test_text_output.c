// SPDX-License-Identifier: Apache-2.0
/*
 * The text sink's actions on the output itself, freopen(), ftruncate(), system(), pcap();
 * conditional records.
 * @ref d-builtins 4
 * @ref output 15 freopen-appends freopen-restores freopen-failure ftruncate ftruncate-no-file
 * @ref output 15 system-stdout pcap-file pcap-tshark pcap-dump
 * @ref d-builtins 6
 * @ref d-language 5.3
 * @ref output 15
 */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "lang/format.h"
#include "decode/sink.h"
#include "print/print.h"
#include "test_sink.h"

static struct arena *arena;
static struct print_options opts = {.quiet = true};
static void on_failure(
	void *arg, const struct event *ev, const struct rec_action *act, const char *text);
static struct sink_env env = {.opts = &opts, .failed = on_failure};
static char folder[200];

static const struct probe begin = {
	.id = 1, .prov = "dtrace", .mod = "", .func = "", .name = "BEGIN"};

static const char *path_of(const char *name)
{
	static char path[4][256];
	static int n;

	n = (n + 1) % 4;
	snprintf(path[n], sizeof(path[n]), "%s/%s", folder, name);
	return path[n];
}

/* Returns the content of file NAME; "(none)" if there is no such file. */
static const char *content(const char *name)
{
	static char text[4096];
	FILE *f = fopen(path_of(name), "r");
	size_t n;

	if (!f)
		return "(none)";
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

/* Action KIND whose text is TEXT, which has no conversions. */
static struct rec_action text_action(enum rec_action_kind kind, const char *text)
{
	const char *error = NULL, *copy = arena_strdup(arena, text);
	struct rec_action act = {.kind = kind};

	act.format = format_parse(arena, copy, strlen(copy), &error);
	CHECK(!error);
	return act;
}

/* The library messages so far. */
static char messages[1024];
static size_t messages_len;

static void on_failure(
	void *arg, const struct event *ev, const struct rec_action *act, const char *text)
{
	CHECK(ev->probe == &begin);
	messages_len +=
		snprintf(messages + messages_len, sizeof(messages) - messages_len, "%s\n", text);
}

static void fire(struct sink *s, const struct rec_action *acts, uint32_t nacts)
{
	const struct rec_desc desc = {.actions = acts, .nactions = nacts};
	const struct event ev = {.probe = &begin, .desc = &desc};

	CHECK_INT(text_event(s, &env, &ev), 0);
	CHECK_INT(sink_flush(s), 0);
}

static void say(struct sink *s, enum rec_action_kind kind, const char *text)
{
	const struct rec_action act = text_action(kind, text);

	fire(s, &act, 1);
}

/* Appended, in record order; a name may have conversions; "" is the original output. */
static void test_freopen(void)
{
	FILE *f = fopen(path_of("original"), "w");
	struct sink *s = sink_text_new(&env, f);
	static const char name[] = "first";
	const struct datum dir = {.kind = DATUM_LITERAL, .literal = folder};
	const struct datum file = {.kind = DATUM_STRING, .size = sizeof(name)};
	const struct datum both[] = {dir, file};
	struct rec_action acts[] = {
		text_action(REC_PRINTF, "a"),
		text_action(REC_FREOPEN, "%s/%s"),
		text_action(REC_PRINTF, "b"),
	};
	const struct rec_desc desc = {.actions = acts, .nactions = 3};
	const struct event ev = {.probe = &begin, .desc = &desc, .data = name};
	FILE *old = fopen(path_of("first"), "w");

	fputs("was here;", old);
	fclose(old);
	say(s, REC_FREOPEN, ""); /* never redirected: nothing happens */
	acts[1].data = both;
	acts[1].ndata = 2;
	CHECK_INT(text_event(s, &env, &ev), 0);
	say(s, REC_PRINTF, "c");
	CHECK_STR(content("original"), "a");
	CHECK_STR(content("first"), "was here;bc");
	say(s, REC_FREOPEN, path_of("second"));
	say(s, REC_PRINTF, "d");
	say(s, REC_FREOPEN, "");
	say(s, REC_PRINTF, "e");
	say(s, REC_FREOPEN, path_of("first"));
	say(s, REC_PRINTF, "f");
	CHECK_STR(content("second"), "d");
	CHECK_STR(content("original"), "ae");
	CHECK_STR(content("first"), "was here;bcf");
	CHECK_INT(messages_len, 0);
	/* the newline that ends a session goes there, too */
	sink_newline(s);
	sink_free(s);
	CHECK_STR(content("first"), "was here;bcf\n");
	fclose(f);
	CHECK_STR(content("original"), "ae");
}

/* In normal mode the record's columns are before the switch, its newline behind it. */
static void test_freopen_columns(void)
{
	FILE *f = fopen(path_of("columns"), "w");
	struct sink *s = sink_text_new(&env, f);

	opts.quiet = false;
	opts.noprefix = true;
	say(s, REC_FREOPEN, path_of("behind"));
	opts.quiet = true;
	opts.noprefix = false;
	sink_free(s);
	fclose(f);
	CHECK_STR(content("columns"),
		"                   FUNCTION:NAME\n                          :BEGIN ");
	CHECK_STR(content("behind"), "\n");
}

/* The previous output stays in force, and the rest of the record is printed. */
static void test_freopen_failure(void)
{
	FILE *f = fopen(path_of("kept"), "w");
	struct sink *s = sink_text_new(&env, f);
	const struct rec_action acts[] = {
		text_action(REC_FREOPEN, path_of("no/such")),
		text_action(REC_PRINTF, "x"),
		text_action(REC_FREOPEN, folder),
		text_action(REC_PRINTF, "y"),
	};
	char want[1024];

	messages_len = 0;
	fire(s, acts, 4);
	CHECK_STR(content("kept"), "xy");
	say(s, REC_FREOPEN, path_of("kept2"));
	say(s, REC_FREOPEN, path_of("no/such"));
	say(s, REC_PRINTF, "z");
	CHECK_STR(content("kept2"), "z");
	snprintf(want, sizeof(want),
		"couldn't freopen() \"%s/no/such\": No such file or directory\n"
		"couldn't freopen() \"%s\": Is a directory\n"
		"couldn't freopen() \"%s/no/such\": No such file or directory\n",
		folder, folder, folder);
	CHECK_STR(messages, want);
	sink_free(s);
	fclose(f);
}

static void test_ftruncate(void)
{
	FILE *f = fopen(path_of("cut"), "w");
	struct sink *s = sink_text_new(&env, f);
	const struct rec_action cut = {.kind = REC_FTRUNCATE};
	struct rec_action acts[] = {
		text_action(REC_PRINTF, "gone"), cut, text_action(REC_PRINTF, "left")};
	char *text;
	size_t len;
	int ends[2];

	say(s, REC_PRINTF, "a longer text");
	fire(s, acts, 3);
	CHECK_STR(content("cut"), "left");
	/* what is cut is the file to which output goes now */
	say(s, REC_FREOPEN, path_of("cut2"));
	say(s, REC_PRINTF, "more");
	fire(s, &cut, 1);
	CHECK_STR(content("cut2"), "");
	say(s, REC_PRINTF, "new");
	CHECK_STR(content("cut2"), "new");
	CHECK_STR(content("cut"), "left");
	sink_free(s);
	fclose(f);

	/* nothing to cut */
	f = open_memstream(&text, &len);
	s = sink_text_new(&env, f);
	fire(s, acts, 3);
	CHECK_STR(text, "goneleft");
	sink_free(s);
	fclose(f);
	free(text);
	CHECK(!pipe(ends));
	f = fdopen(ends[1], "w");
	s = sink_text_new(&env, f);
	fire(s, acts, 3);
	sink_free(s);
	fclose(f);
	char got[16] = "";
	CHECK_INT(read(ends[0], got, sizeof(got) - 1), 8);
	CHECK_STR(got, "goneleft");
	close(ends[0]);
}

/* Output of ours that is older comes first; the command's output is where ours goes. */
static void test_system(void)
{
	int saved = dup(STDOUT_FILENO), fd;
	struct sink *s;
	const struct datum n = {.kind = DATUM_INT, .size = 4, .is_signed = true};
	const int32_t value = 42;
	struct rec_action with = text_action(REC_SYSTEM, "echo %d; exit 3");
	const struct rec_desc desc = {.actions = &with, .nactions = 1};
	const struct event ev = {.probe = &begin, .desc = &desc, .data = &value};

	with.data = &n;
	with.ndata = 1;
	fflush(stdout);
	fd = open(path_of("stdout"), O_CREAT | O_WRONLY | O_APPEND, 0600);
	dup2(fd, STDOUT_FILENO);
	close(fd);
	s = sink_text_new(&env, stdout);
	say(s, REC_PRINTF, "before;");
	CHECK_INT(text_event(s, &env, &ev), 0);
	say(s, REC_PRINTF, "after;");
	say(s, REC_FREOPEN, path_of("elsewhere"));
	say(s, REC_SYSTEM, "echo there");
	say(s, REC_FREOPEN, "");
	say(s, REC_SYSTEM, "-no-option 2>/dev/null || echo here");
	sink_free(s);
	/* as with -o: standard output is not what freopen() replaces */
	FILE *f = fopen(path_of("dash-o"), "w");
	s = sink_text_new(&env, f);
	say(s, REC_SYSTEM, "echo of -o");
	say(s, REC_FREOPEN, path_of("elsewhere2"));
	say(s, REC_SYSTEM, "echo of -o and freopen");
	sink_free(s);
	fclose(f);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	CHECK_STR(content("stdout"), "before;42\nafter;here\nof -o\nof -o and freopen\n");
	CHECK_STR(content("elsewhere"), "there\n");
	CHECK_STR(content("elsewhere2"), "");
	CHECK_STR(content("dash-o"), "");
}

static volatile sig_atomic_t caught;

static void catch (int sig)
{
	caught++;
}

/* A signal does not end the wait, and is not lost; nor does an ignored SIGCHLD matter. */
static void test_system_signals(void)
{
	struct sigaction act = {.sa_handler = catch}, old;
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct sink *s = sink_text_new(&env, f);
	char command[600];

	messages_len = 0;
	sigaction(SIGINT, &act, &old);
	snprintf(command, sizeof(command), "kill -INT %d; sleep 0.1; echo done >%s", (int)getpid(),
		path_of("signals"));
	say(s, REC_SYSTEM, command);
	sigaction(SIGINT, &old, NULL);
	CHECK_INT(caught, 1);
	CHECK_STR(content("signals"), "done\n");
	act.sa_handler = SIG_IGN;
	sigaction(SIGCHLD, &act, &old);
	snprintf(command, sizeof(command), "sleep 0.1; echo done >%s", path_of("ignored"));
	say(s, REC_SYSTEM, command);
	sigaction(SIGCHLD, &old, NULL);
	CHECK_STR(content("ignored"), "done\n");
	CHECK_INT(messages_len, 0);
	sink_free(s);
	fclose(f);
	free(text);
}

/* ---- pcap() ---- */

/* A record of pcap(): its data are LEN, LINK and BYTES and, if TIMED, WHOLE and NS. */
struct pcap_rec {
	int32_t len, link;
	uint8_t bytes[20];
	uint32_t whole;
	uint64_t ns;
};

static const struct datum pcap_data[] = {
	{.kind = DATUM_INT, .is_signed = true, .size = 4, .offset = offsetof(struct pcap_rec, len)},
	{.kind = DATUM_INT,
		.is_signed = true,
		.size = 4,
		.offset = offsetof(struct pcap_rec, link)},
	{.kind = DATUM_BYTES, .size = 20, .offset = offsetof(struct pcap_rec, bytes)},
	{.kind = DATUM_INT, .size = 4, .offset = offsetof(struct pcap_rec, whole)},
	{.kind = DATUM_INT, .size = 8, .offset = offsetof(struct pcap_rec, ns)},
};

static void capture(struct sink *s, int32_t len, int32_t link)
{
	const struct pcap_rec rec = {
		.len = len, .link = link, .bytes = "AB", .whole = 1500, .ns = 5000007999};
	const struct rec_action act = {.kind = REC_PCAP, .data = pcap_data, .ndata = 5};
	const struct rec_desc desc = {.actions = &act, .nactions = 1};
	const struct event ev = {.probe = &begin, .desc = &desc, .data = &rec};

	CHECK_INT(text_event(s, &env, &ev), 0);
	CHECK_INT(sink_flush(s), 0);
}

/* The 32-bit words of file NAME, whose size is to be SIZE. */
static const uint32_t *words(const char *name, size_t size)
{
	static uint32_t w[256];
	FILE *f = fopen(path_of(name), "r");

	memset(w, 0, sizeof(w));
	CHECK(f != NULL);
	if (f) {
		CHECK_INT(fread(w, 1, sizeof(w), f), size);
		fclose(f);
	}
	return w;
}

/* libpcap's format: a header, then for each packet seconds, microseconds, length, whole length. */
static void check_capture(const char *name, uint32_t link, unsigned npackets)
{
	const uint32_t *w = words(name, 24 + 20 * npackets);

	CHECK_INT(w[0], 0xa1b2c3d4);
	CHECK_INT(w[1], 2 | 4 << 16);
	CHECK(!w[2] && !w[3] && w[4] >= 65535);
	CHECK_INT(w[5], link);
	for (unsigned i = 0; i < npackets; i++) {
		const uint32_t *p = w + 6 + 5 * i;

		CHECK_INT(p[0], 5);
		CHECK_INT(p[1], 7);
		CHECK_INT(p[2], 4);
		CHECK_INT(p[3], 1500);
		CHECK_INT(p[4], 'A' | 'B' << 8);
	}
}

/* To a file that freopen() named: packets, and nothing but packets. */
static void test_pcap_file(void)
{
	FILE *f = fopen(path_of("pcap.out"), "w");
	struct sink *s = sink_text_new(&env, f);

	messages_len = 0;
	say(s, REC_FREOPEN, path_of("pcap"));
	say(s, REC_PRINTF, "text;"); /* before it is known that packets follow */
	capture(s, 0, 1);	     /* no packet */
	CHECK_STR(content("pcap"), "text;");
	capture(s, 4, 1);
	say(s, REC_PRINTF, "more;");
	capture(s, 4, 1);
	check_capture("pcap", 1, 2);
	CHECK_STR(content("pcap.out"), "text;more;");
	/* a file has packets of one link type */
	capture(s, 4, 12);
	check_capture("pcap", 1, 2);
	CHECK_STR(messages, "couldn't pcap() to a file of link type 1: packet has 101\n");
	/* another file, then the first again, which is continued */
	say(s, REC_FREOPEN, path_of("pcap2"));
	capture(s, 4, 12);
	say(s, REC_FREOPEN, path_of("pcap"));
	capture(s, 4, 1);
	say(s, REC_PRINTF, "end;");
	sink_newline(s);
	sink_free(s);
	fclose(f);
	check_capture("pcap", 1, 3);
	check_capture("pcap2", 101, 1);
	CHECK_STR(content("pcap.out"), "text;more;end;\n");
}

/* ftruncate() empties a capture; what was in a file before is kept; more than was captured is not.
 */
static void test_pcap_odd_files(void)
{
	FILE *f = fopen(path_of("odd.out"), "w");
	struct sink *s = sink_text_new(&env, f);
	const struct rec_action cut = {.kind = REC_FTRUNCATE};
	FILE *old = fopen(path_of("odd"), "w");

	say(s, REC_FREOPEN, path_of("cut-pcap"));
	capture(s, 4, 1);
	fire(s, &cut, 1);
	capture(s, 4, 1);
	check_capture("cut-pcap", 1, 1);
	fputs("not mine", old);
	fclose(old);
	say(s, REC_FREOPEN, path_of("odd"));
	capture(s, 400, 1);
	CHECK(!memcmp(words("odd", 8 + 24 + 16 + 20), "not mine", 8));
	sink_free(s);
	fclose(f);
}

/* Without such a file and without tshark: bytes in hexadecimal. */
static void test_pcap_bytes(void)
{
	FILE *f = fopen(path_of("bytes"), "w");
	struct sink *s = sink_text_new(&env, f);

	setenv("PATH", path_of("no/such"), 1);
	capture(s, 4, 1);
	capture(s, -1, 1);
	sink_free(s);
	fclose(f);
	CHECK_STR(content("bytes"),
		"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
		"         0: 41 42 00 00                                      AB..\n");
}

/* Put a script called tshark where it is found first. */
static void make_tshark(const char *path, const char *script)
{
	char dirs[1024];
	FILE *f = fopen(path_of("tshark"), "w");

	fputs(script, f);
	fchmod(fileno(f), 0700);
	fclose(f);
	snprintf(dirs, sizeof(dirs), "%s:%s", folder, path);
	setenv("PATH", dirs, 1);
}

/* tshark's lines come where output goes; all of them before the session's last newline. */
static void test_pcap_tshark(const char *path)
{
	FILE *f = fopen(path_of("tshark.out"), "w+");
	struct sink *s;

	make_tshark(path, "#!/bin/sh\necho \"$*\"\nexec wc -c\n");
	s = sink_text_new(&env, f);
	say(s, REC_PRINTF, "first\n");
	capture(s, 4, 1);
	capture(s, 4, 1);
	sink_newline(s);
	say(s, REC_PRINTF, "last\n");
	sink_free(s);
	fclose(f);
	CHECK_STR(content("tshark.out"), "first\n-l -n -r -\n64\n\nlast\n");
	/* one that ends at once: the bytes are shown instead, and we live */
	make_tshark(path, "#!/bin/sh\nexit 1\n");
	f = fopen(path_of("tshark.out"), "w");
	s = sink_text_new(&env, f);
	for (int i = 0; i < 3000 && !strstr(content("tshark.out"), "AB"); i++) {
		capture(s, 4, 1);
		usleep(1000);
	}
	sink_free(s);
	fclose(f);
	CHECK(strstr(content("tshark.out"), "41 42 00 00") != NULL);
}

/* An action whose bit is clear is not there; bits of the second word count from action 64. */
static void test_conditional(void)
{
	struct {
		uint64_t unrelated, ran[2];
	} rec = {.unrelated = ~0ULL};
	struct rec_action acts[70];
	const struct rec_desc desc = {
		.actions = acts, .nactions = 70, .conditional = true, .ran = 8};
	const struct event ev = {.probe = &begin, .desc = &desc, .data = &rec};
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct sink *s = sink_text_new(&env, f);

	for (int i = 0; i < 70; i++)
		acts[i] = text_action(REC_PRINTF, (char[]){(char)('0' + i), '\0'});
	acts[5] = (struct rec_action){.kind = REC_EXIT};
	acts[6] = (struct rec_action){.kind = REC_CLEAR};
	rec.ran[0] = 1ULL << 1 | 1ULL << 3 | 1ULL << 6 | 1ULL << 63;
	rec.ran[1] = 1ULL << 0 | 1ULL << 5;
	CHECK_INT(text_event(s, &env, &ev), 0);
	rec.ran[0] = 1ULL << 0;
	rec.ran[1] = 0;
	opts.quiet = false;
	opts.noprefix = true;
	CHECK_INT(text_event(s, &env, &ev), 0);
	opts.quiet = true;
	opts.noprefix = false;
	sink_flush(s);
	CHECK_STR(text, "13opu                          :BEGIN 0\n");
	sink_free(s);
	fclose(f);
	free(text);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR"), *dirs = getenv("PATH");
	char *path = strdup(dirs ? dirs : "/usr/bin:/bin");
	char command[256];

	snprintf(folder, sizeof(folder), "%s/test_text_output.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(folder))
		test_skip("no temporary folder");
	arena = arena_new();
	test_freopen();
	test_freopen_columns();
	test_freopen_failure();
	test_ftruncate();
	test_system();
	test_system_signals();
	test_pcap_file();
	test_pcap_odd_files();
	test_pcap_bytes();
	test_pcap_tshark(path);
	setenv("PATH", path, 1);
	free(path);
	test_conditional();
	arena_free(arena);
	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	CHECK_INT(system(command), 0);
	return test_done();
}
