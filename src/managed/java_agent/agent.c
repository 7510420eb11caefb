// SPDX-License-Identifier: Apache-2.0
/*
 * The agent that dtrace loads into a Java VM: reports classes and methods, adds calls to methods
 * and takes them away.
 *
 * It connects to a socket, its options say where, and obeys lines:
 *
 *	W CLASS METHOD	tell of classes that are prepared from now on, if they match these globs
 *	L GLOB		list the classes that match
 *	B		begin a look at the classes that came so far
 *	N GLOB		as L, of these classes
 *	E index number entry return args	use NUMBER for the method
 *	G		change all such methods; if one cannot be, none is
 *	P		change those that can be
 *	R		end the look: threads that prepared its classes go on, others wait
 *
 * A list is a line "M index static line class name descriptor file" for each method with code, then
 * ".".  Methods whose names have blanks, or no room in AGENT_LINE_MOST, are left out.  G and P
 *answer "." once it is done, else what is wrong.
 *
 * A second connection says with a byte each that a class came (N), or went on unseen (T): its
 * thread waits for HOLD_S at most, and then none does until the next R.
 *
 * At the end of the connection, whatever its reason, all methods get their own code back.  JVMTI
 * has no way to unload an agent, so what is used by a session stays: its code and its helper class.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "agent.h"
#include "edit.h"
#include "wire.h"

#define NUMBERS 16384 /* half the stubs in stubs.S */
#define HOLD_S	1     /* seconds that a thread waits for dtrace */

extern const char dtrace_java_stubs[] __attribute__((visibility("hidden")));

struct method {
	jclass class; /* a global reference */
	jmethodID id;
	unsigned klass; /* the number of the class */
	char *name, *desc;
	bool is_static, enabled;
	bool changed; /* EDIT is not yet in the VM */
	bool usable;  /* its class is known to find the helper */
	struct method_edit edit;
};

/* What probes may come for. */
struct watch {
	char *class, *method; /* globs */
	struct watch *next;
};

/* A class that was prepared since the last look. */
struct prepared {
	jclass class; /* a global reference */
	uint64_t ticket;
	bool usable;
	struct prepared *next;
};

/* One agent is one copy of this file in the VM: a session's own. */
static struct agent {
	JavaVM *vm;
	jvmtiEnv *ti;
	struct wire wire; /* of the thread that serves */
	int events;
	pthread_t server;
	char helper[64];
	jclass helper_class;  /* a global reference */
	pthread_mutex_t lock; /* of what follows */
	struct method *methods;
	unsigned n, cap, classes;
	struct watch *watches;
	struct prepared *prepared;
	pthread_cond_t answered; /* RELEASED or HOLDING is another */
	uint64_t tickets, listed, released;
	bool holding;
	char error[512];
	/* by number; written before a method that uses it is changed */
	char kinds[NUMBERS][METHOD_VALUES];
} agent = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- what the methods call ---- */

static void fire(jint number, int ret, const jlong *v)
{
	void (*stub)(jlong, jlong, jlong, jlong, jlong, jlong) =
		(void *)(dtrace_java_stubs + 16 * number + 8 * ret);

	stub(v[0], v[1], v[2], v[3], v[4], v[5]);
}

static jlong identity(jobject o)
{
	jint hash = 0;

	if (o)
		(*agent.ti)->GetObjectHashCode(agent.ti, o, &hash);
	return hash;
}

static const char *text_of(JNIEnv *env, jobject s)
{
	return s ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
}

static void JNICALL on_entry(JNIEnv *env, jclass c, jint number)
{
	fire(number, 0, (const jlong[METHOD_VALUES]){0});
}

static void JNICALL on_args(JNIEnv *env, jclass c, jlong a, jlong b, jlong d, jlong e, jlong f,
	jlong g, jobject o, jobject p, jobject q, jobject r, jobject s, jobject t, jint number)
{
	const jobject objects[METHOD_VALUES] = {o, p, q, r, s, t};
	const char *kinds = agent.kinds[number], *texts[METHOD_VALUES] = {0};
	jlong v[METHOD_VALUES] = {a, b, d, e, f, g};

	for (int i = 0; i < METHOD_VALUES; i++) {
		if (kinds[i] == 's')
			v[i] = (jlong)(texts[i] = text_of(env, objects[i]));
		else if (kinds[i] == 'L' || kinds[i] == 'T')
			v[i] = identity(objects[i]);
	}
	fire(number, 0, v);
	for (int i = 0; i < METHOD_VALUES; i++)
		if (texts[i])
			(*env)->ReleaseStringUTFChars(env, objects[i], texts[i]);
}

static void JNICALL on_void(JNIEnv *env, jclass c, jint number)
{
	fire(number, 1, (const jlong[METHOD_VALUES]){0});
}

static void JNICALL on_int(JNIEnv *env, jclass c, jint v, jint number)
{
	fire(number, 1, (const jlong[METHOD_VALUES]){0, v});
}

static void JNICALL on_long(JNIEnv *env, jclass c, jlong v, jint number)
{
	fire(number, 1, (const jlong[METHOD_VALUES]){0, v});
}

static void JNICALL on_object(JNIEnv *env, jclass c, jobject v, jint number)
{
	fire(number, 1, (const jlong[METHOD_VALUES]){0, identity(v)});
}

static void JNICALL on_string(JNIEnv *env, jclass c, jobject v, jint number)
{
	const char *text = text_of(env, v);

	fire(number, 1, (const jlong[METHOD_VALUES]){0, (jlong)text});
	if (text)
		(*env)->ReleaseStringUTFChars(env, v, text);
}

static void JNICALL on_thrown(JNIEnv *env, jclass c, jint number)
{
	fire(number, 1, (const jlong[METHOD_VALUES]){1});
}

static bool define_helper(JNIEnv *env)
{
	static void *const functions[NHELPERS] = {
		[HELPER_ENTRY] = on_entry,
		[HELPER_ARGS] = on_args,
		[HELPER_VOID] = on_void,
		[HELPER_INT] = on_int,
		[HELPER_LONG] = on_long,
		[HELPER_OBJECT] = on_object,
		[HELPER_STRING] = on_string,
		[HELPER_THROWN] = on_thrown,
	};
	JNINativeMethod natives[NHELPERS];
	size_t len;
	uint8_t *bytes = edit_helper_class(agent.helper, &len);
	jclass c = bytes
		? (*env)->DefineClass(env, agent.helper, NULL, (const jbyte *)bytes, (jsize)len)
		: NULL;

	free(bytes);
	for (int i = 0; i < NHELPERS; i++) {
		natives[i].name = (char *)edit_helpers[i].name;
		natives[i].signature = (char *)edit_helpers[i].desc;
		natives[i].fnPtr = functions[i];
	}
	if (c && !(*env)->RegisterNatives(env, c, natives, NHELPERS))
		agent.helper_class = (*env)->NewGlobalRef(env, c);
	if (agent.helper_class)
		return true;
	(*env)->ExceptionClear(env);
	return false;
}

/* ---- listing ---- */

static struct method *new_method(void)
{
	if (agent.n == agent.cap) {
		unsigned cap = agent.cap ? agent.cap * 2 : 256;
		struct method *more = realloc(agent.methods, cap * sizeof(*more));

		if (!more)
			return NULL;
		agent.methods = more;
		agent.cap = cap;
	}
	return &agent.methods[agent.n];
}

#define ACC_STATIC  0x0008
#define ACC_NO_CODE 0x0540 /* bridge, whose code calls the method; native, abstract */

/* Adds method ID of CLASS, unless it has no code of its own; false: no memory. */
static bool add_method(jclass class, jmethodID id)
{
	jvmtiEnv *ti = agent.ti;
	jint access = 0;
	struct method *m = new_method();
	char *name = NULL, *desc = NULL;

	if (!m)
		return false;
	(*ti)->GetMethodModifiers(ti, id, &access);
	if (access & ACC_NO_CODE || (*ti)->GetMethodName(ti, id, &name, &desc, NULL))
		return true;
	*m = (struct method){.class = class,
		.id = id,
		.klass = agent.classes,
		.name = name,
		.desc = desc,
		.is_static = access & ACC_STATIC};
	agent.n++;
	return true;
}

/* Returns the first method of the class with methods IDS, which are added unless they are known. */
static unsigned class_methods(JNIEnv *env, jclass class, const jmethodID *ids, jint n, bool usable)
{
	unsigned first = agent.n;

	for (jint k = 0; k < n; k++)
		for (unsigned i = 0; i < first; i++)
			if (agent.methods[i].id == ids[k])
				return i;
	class = (*env)->NewGlobalRef(env, class);
	agent.classes++;
	for (jint k = 0; class && k < n; k++)
		if (!add_method(class, ids[k]))
			break;
	for (unsigned i = first; i < agent.n; i++)
		agent.methods[i].usable = usable;
	return first;
}

/* The line at which method ID begins; 0: the class does not say. */
static jint first_line(jmethodID id)
{
	jvmtiLineNumberEntry *lines = NULL, *first;
	jint n = 0, line = 0;

	if ((*agent.ti)->GetLineNumberTable(agent.ti, id, &n, &lines))
		return 0;
	first = lines;
	for (jint i = 0; i < n; i++)
		if (lines[i].start_location < first->start_location)
			first = &lines[i];
	if (n)
		line = first->line_number;
	(*agent.ti)->Deallocate(agent.ti, (unsigned char *)lines);
	return line;
}

/* The name of CLASS as Java writes it, to be freed; NULL: it has none, or cannot be changed. */
static char *class_name(jclass class)
{
	jvmtiEnv *ti = agent.ti;
	jboolean can = JNI_FALSE;
	char *sig = NULL, *name = NULL;

	if ((*ti)->IsModifiableClass(ti, class, &can) || !can ||
		(*ti)->GetClassSignature(ti, class, &sig, NULL))
		return NULL;
	if (*sig == 'L' && strncmp(sig, "Ldtrace/", 8)) {
		name = strndup(sig + 1, strlen(sig) - 2);
		for (char *c = name; c && *c; c++)
			*c = *c == '/' ? '.' : *c;
	}
	(*ti)->Deallocate(ti, (unsigned char *)sig);
	return name;
}

/* True if TEXT is one word of a line.  The VM allows names with blanks; Kotlin has such tests. */
static bool is_word(const char *text)
{
	const char *c = text;

	while ((unsigned char)*c > ' ')
		c++;
	return !*c && c > text;
}

static void tell_methods(unsigned first, const char *class, const char *file)
{
	const size_t numbers = sizeof("M 4294967295 1 65535    ");

	if (!file || !*file || strpbrk(file, "\n\r"))
		file = AGENT_NO_FILE;
	for (unsigned i = first;
		i < agent.n && agent.methods[i].klass == agent.methods[first].klass; i++) {
		const struct method *m = &agent.methods[i];

		if (!is_word(class) || !is_word(m->name) || !is_word(m->desc) ||
			numbers + strlen(class) + strlen(m->name) + strlen(m->desc) + strlen(file) >
				AGENT_LINE_MOST)
			continue;
		wire_say(&agent.wire, "M %u %d %d %s %s %s %s\n", i, m->is_static,
			first_line(m->id), class, m->name, m->desc, file);
	}
}

static void list_class(JNIEnv *env, jclass class, const char *glob, bool usable)
{
	jvmtiEnv *ti = agent.ti;
	char *name = class_name(class), *file = NULL;
	jmethodID *ids = NULL;
	jint n = 0;

	if (name && (!*glob || !fnmatch(glob, name, 0)) &&
		!(*ti)->GetClassMethods(ti, class, &n, &ids)) {
		(*ti)->GetSourceFileName(ti, class, &file);
		tell_methods(class_methods(env, class, ids, n, usable), name, file);
		(*ti)->Deallocate(ti, (unsigned char *)ids);
		(*ti)->Deallocate(ti, (unsigned char *)file);
	}
	free(name);
}

static void list(JNIEnv *env, const char *glob)
{
	jvmtiEnv *ti = agent.ti;
	jclass *classes = NULL;
	jint n = 0;

	pthread_mutex_lock(&agent.lock);
	(*ti)->GetLoadedClasses(ti, &n, &classes);
	for (jint i = 0; i < n; i++) {
		list_class(env, classes[i], glob, false);
		(*env)->DeleteLocalRef(env, classes[i]);
	}
	(*ti)->Deallocate(ti, (unsigned char *)classes);
	pthread_mutex_unlock(&agent.lock);
	wire_say(&agent.wire, ".\n");
}

static void list_prepared(JNIEnv *env, const char *glob)
{
	pthread_mutex_lock(&agent.lock);
	for (const struct prepared *p = agent.prepared; p; p = p->next)
		if (p->ticket <= agent.listed)
			list_class(env, p->class, glob, p->usable);
	pthread_mutex_unlock(&agent.lock);
	wire_say(&agent.wire, ".\n");
}

/* ---- changing ---- */

static void fail(const char *format, ...)
{
	va_list ap;

	if (agent.error[0])
		return;
	va_start(ap, format);
	vsnprintf(agent.error, sizeof(agent.error), format, ap);
	va_end(ap);
	for (char *c = agent.error; *c; c++) /* names of classes may have any byte */
		*c = *c == '\n' ? ' ' : *c;
}

static void JNICALL on_class(jvmtiEnv *ti, JNIEnv *env, jclass class, jobject loader,
	const char *name, jobject domain, jint len, const unsigned char *data, jint *new_len,
	unsigned char **new_data)
{
	struct method_edit *edits;
	const char *why = NULL;
	unsigned n = 0;
	uint8_t *bytes;
	size_t size = 0;

	if (!class) /* loaded, not changed */
		return;
	pthread_mutex_lock(&agent.lock);
	edits = calloc(agent.n + 1, sizeof(*edits));
	for (unsigned i = 0; edits && i < agent.n; i++)
		if (agent.methods[i].enabled &&
			(*env)->IsSameObject(env, agent.methods[i].class, class))
			edits[n++] = agent.methods[i].edit;
	bytes = n ? edit_class(data, (size_t)len, agent.helper, edits, n, &size, &why) : NULL;
	if (n && !bytes)
		fail("class %s: %s", name, why ? why : "no memory");
	if (bytes && !(*ti)->Allocate(ti, (jlong)size, new_data)) {
		memcpy(*new_data, bytes, size);
		*new_len = (jint)size;
	}
	pthread_mutex_unlock(&agent.lock);
	free(bytes);
	free(edits);
}

static void enable(const char *line)
{
	unsigned i, number, entry, ret, args;
	struct method *m;

	if (sscanf(line, "%u %u %u %u %u", &i, &number, &entry, &ret, &args) != 5 || i >= agent.n ||
		number >= NUMBERS)
		return;
	pthread_mutex_lock(&agent.lock);
	m = &agent.methods[i];
	m->changed |=
		!m->enabled || entry > m->edit.entry || ret > m->edit.ret || args > m->edit.args;
	m->enabled = true;
	m->edit = (struct method_edit){m->name, m->desc, (uint16_t)number, m->edit.entry || entry,
		m->edit.ret || ret, m->edit.args || args};
	memset(agent.kinds[number], 0, METHOD_VALUES);
	edit_kinds(m->name, m->desc, m->is_static, agent.kinds[number]);
	pthread_mutex_unlock(&agent.lock);
}

/* True if LOADER, asked as a class that it has loaded would ask it, has the helper. */
static bool has_helper(JNIEnv *env, jobject loader)
{
	jclass c = (*env)->FindClass(env, "java/lang/Class");
	jmethodID for_name = c
		? (*env)->GetStaticMethodID(env, c, "forName",
			  "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;")
		: NULL;
	char name[sizeof(agent.helper)];
	jobject found = NULL;
	jstring text;

	strcpy(name, agent.helper);
	for (char *p = name; *p; p++)
		*p = *p == '/' ? '.' : *p;
	text = for_name ? (*env)->NewStringUTF(env, name) : NULL;
	if (text)
		found = (*env)->CallStaticObjectMethod(env, c, for_name, text, JNI_FALSE, loader);
	(*env)->ExceptionClear(env);
	return found && (*env)->IsSameObject(env, found, agent.helper_class);
}

/*
 * Lets CLASS use the helper, which is in no named module: in java.lang, which all may use, the VM
 * would warn on its output.  False: it cannot, so its methods must stay as they are.
 */
static bool allow_helper(JNIEnv *env, jclass class)
{
	jobject loader = NULL;
	bool can = true;

	if ((*env)->PushLocalFrame(env, 8))
		return false;
	if ((*env)->GetVersion(env) >= JNI_VERSION_9)
		can = !(*agent.ti)->AddModuleReads(agent.ti, (*env)->GetModule(env, class),
			(*env)->GetModule(env, agent.helper_class));
	if ((*agent.ti)->GetClassLoader(agent.ti, class, &loader) ||
		(loader && !has_helper(env, loader)))
		can = false;
	(*env)->PopLocalFrame(env, NULL);
	return can;
}

static void refuse_class(jclass class)
{
	char *name = class_name(class);

	fail("class %s: its loader does not find package dtrace, which the changed methods call",
		name ? name : "?");
	free(name);
}

/* The classes with a method to change; all: with any that was changed.  To CLASSES, their number.
 */
static jint classes_to_change(JNIEnv *env, bool all, jclass *classes)
{
	unsigned last = 0;
	jint n = 0;

	for (unsigned i = 0; i < agent.n; i++) {
		struct method *m = &agent.methods[i];

		if (!m->enabled || !(all || m->changed))
			continue;
		m->changed = false;
		if (m->klass == last)
			continue;
		last = m->klass;
		if (all || m->usable || allow_helper(env, m->class))
			classes[n++] = m->class;
		else
			refuse_class(m->class);
	}
	return n;
}

/* All classes at once: each pause of the VM costs. */
static void transform(JNIEnv *env, bool all, bool partly)
{
	jclass *classes = calloc(agent.n + 1, sizeof(*classes));
	jint n = classes ? classes_to_change(env, all, classes) : 0;
	jvmtiError err = JVMTI_ERROR_NONE;

	if (n && (partly || !agent.error[0]))
		err = (*agent.ti)->RetransformClasses(agent.ti, n, classes);
	if (err) {
		char *text = NULL;

		(*agent.ti)->GetErrorName(agent.ti, err, &text);
		fail("the VM refuses the changed methods: %s", text ? text : "?");
		(*agent.ti)->Deallocate(agent.ti, (unsigned char *)text);
	}
	free(classes);
}

static void change(JNIEnv *env, bool partly)
{
	agent.error[0] = '\0';
	transform(env, false, partly);
	wire_say(&agent.wire, "%s\n", agent.error[0] ? agent.error : ".");
}

/* ---- classes that come ---- */

/* True if a method called NAME may match PATTERN, which may go on with the types. */
static bool may_match(const char *pattern, const char *name)
{
	size_t n = strcspn(pattern, "*?[\\(");

	return pattern[n] ? !strncmp(pattern, name, n) : !strcmp(pattern, name);
}

static bool has_method(jclass class, const char *pattern)
{
	jvmtiEnv *ti = agent.ti;
	jmethodID *ids = NULL;
	bool found = *pattern == '*';
	jint n = 0;

	if (found || (*ti)->GetClassMethods(ti, class, &n, &ids))
		return found;
	for (jint i = 0; i < n && !found; i++) {
		char *name = NULL;

		if ((*ti)->GetMethodName(ti, ids[i], &name, NULL, NULL))
			continue;
		found = may_match(pattern, name);
		(*ti)->Deallocate(ti, (unsigned char *)name);
	}
	(*ti)->Deallocate(ti, (unsigned char *)ids);
	return found;
}

static bool is_watched(jclass class)
{
	char *name = class_name(class);
	bool is = false;

	pthread_mutex_lock(&agent.lock);
	for (const struct watch *w = agent.watches; name && w && !is; w = w->next)
		is = !fnmatch(w->class, name, 0) && has_method(class, w->method);
	pthread_mutex_unlock(&agent.lock);
	free(name);
	return is;
}

/* Locked. */
static void tell(char what)
{
	(void)!send(agent.events, &what, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Waits until dtrace has placed the probes of what was prepared up to TICKET.  Locked. */
static void wait_for_probes(uint64_t ticket)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += HOLD_S;
	while (agent.holding && agent.released < ticket)
		if (pthread_cond_timedwait(&agent.answered, &agent.lock, &until)) {
			agent.holding = false;
			pthread_cond_broadcast(&agent.answered);
			tell('T');
		}
}

static void JNICALL on_prepare(jvmtiEnv *ti, JNIEnv *env, jthread thread, jclass class)
{
	static __thread bool inside; /* a loader that is asked for the helper prepares classes */
	bool hold = !inside && !pthread_equal(pthread_self(), agent.server);
	struct prepared *p = is_watched(class) ? calloc(1, sizeof(*p)) : NULL;

	if (!p)
		return;
	/* this thread may have locked the loader that is asked */
	if (hold) {
		inside = true;
		p->usable = hold = allow_helper(env, class);
		inside = false;
	}
	p->class = (*env)->NewGlobalRef(env, class);
	pthread_mutex_lock(&agent.lock);
	p->ticket = ++agent.tickets;
	p->next = agent.prepared;
	agent.prepared = p;
	tell('N');
	if (hold)
		wait_for_probes(p->ticket);
	pthread_mutex_unlock(&agent.lock);
}

static void watch(char *globs)
{
	char *method = strchr(globs, ' ');
	struct watch *w;

	if (!method)
		return;
	*method++ = '\0';
	w = calloc(1, sizeof(*w));
	if (!w)
		return;
	w->class = strdup(globs);
	w->method = strdup(method);
	pthread_mutex_lock(&agent.lock);
	w->next = agent.watches;
	agent.watches = w;
	pthread_mutex_unlock(&agent.lock);
	(*agent.ti)->SetEventNotificationMode(
		agent.ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
}

static void begin_look(void)
{
	pthread_mutex_lock(&agent.lock);
	agent.listed = agent.tickets;
	pthread_mutex_unlock(&agent.lock);
}

/* Lets threads go on that prepared classes up to number UNTIL, and forgets the classes. */
static void release(JNIEnv *env, uint64_t until, bool holding)
{
	pthread_mutex_lock(&agent.lock);
	for (struct prepared **at = &agent.prepared, *p; (p = *at) != NULL;) {
		if (p->ticket > until) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		(*env)->DeleteGlobalRef(env, p->class);
		free(p);
	}
	agent.released = until;
	agent.holding = holding;
	pthread_cond_broadcast(&agent.answered);
	pthread_mutex_unlock(&agent.lock);
}

/* ---- serving ---- */

static void obey(JNIEnv *env, char *line)
{
	if (*line == 'L')
		list(env, line + 2);
	if (*line == 'W')
		watch(line + 2);
	if (*line == 'B')
		begin_look();
	if (*line == 'N')
		list_prepared(env, line + 2);
	if (*line == 'E')
		enable(line + 2);
	if (*line == 'G' || *line == 'P')
		change(env, *line == 'P');
	if (*line == 'R')
		release(env, agent.listed, true);
	wire_send(&agent.wire);
}

static void restore(JNIEnv *env)
{
	(*agent.ti)->SetEventNotificationMode(
		agent.ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
	release(env, UINT64_MAX, false);
	(*agent.ti)->SetEventNotificationMode(
		agent.ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
	transform(env, true, true);
	(*agent.ti)->DisposeEnvironment(agent.ti);
}

static void *serve(void *arg)
{
	JavaVMAttachArgs as = {JNI_VERSION_1_6, (char *)"dtrace agent", NULL};
	JNIEnv *env = NULL;
	char *line;

	agent.server = pthread_self();
	if (!(*agent.vm)->AttachCurrentThreadAsDaemon(agent.vm, (void **)&env, &as)) {
		if (define_helper(env)) {
			wire_say(&agent.wire, ".\n");
			wire_send(&agent.wire);
			while ((line = wire_hear(&agent.wire)) != NULL)
				obey(env, line);
		} else {
			wire_say(&agent.wire, "the VM refuses the helper class\n");
			wire_send(&agent.wire);
		}
		restore(env);
		(*agent.vm)->DetachCurrentThread(agent.vm);
	}
	free(agent.wire.text);
	pthread_mutex_lock(&agent.lock);
	close(agent.events);
	agent.events = -1;
	pthread_mutex_unlock(&agent.lock);
	close(agent.wire.fd); /* tells dtrace that everything is restored */
	return NULL;
}

/* ---- loading ---- */

static int connect_to(const char *path)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
	if (fd < 0 || !connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fd;
	close(fd);
	return -1;
}

static bool connect_all(const char *path)
{
	agent.wire.fd = connect_to(path);
	agent.events = connect_to(path);
	return agent.wire.fd >= 0 && agent.events >= 0;
}

/* The library stays in the VM: what it has asked for, and opened, must not. */
static jint give_up(enum agent_return why)
{
	if (agent.ti)
		(*agent.ti)->DisposeEnvironment(agent.ti);
	if (agent.wire.fd >= 0)
		close(agent.wire.fd);
	if (agent.events >= 0)
		close(agent.events);
	return why;
}

/* Waits are of a clock that nobody sets. */
static bool prepare_to_wait(void)
{
	pthread_condattr_t attr;

	return !pthread_condattr_init(&attr) &&
		!pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) &&
		!pthread_cond_init(&agent.answered, &attr);
}

/* Options: the socket's path and the helper's name. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	const jvmtiCapabilities want = {
		.can_retransform_classes = 1, .can_retransform_any_class = 1};
	const jvmtiCapabilities more = {.can_get_source_file_name = 1, .can_get_line_numbers = 1};
	const jvmtiEventCallbacks calls = {
		.ClassFileLoadHook = on_class, .ClassPrepare = on_prepare};
	char path[108];
	pthread_t thread;

	agent.wire.fd = agent.events = -1;
	if (sscanf(options, "%107s %63s", path, agent.helper) != 2)
		return AGENT_OPTIONS;
	agent.vm = vm;
	if ((*vm)->GetEnv(vm, (void **)&agent.ti, JVMTI_VERSION_1_1) ||
		(*agent.ti)->AddCapabilities(agent.ti, &want) ||
		(*agent.ti)->SetEventCallbacks(agent.ti, &calls, sizeof(calls)) ||
		(*agent.ti)->SetEventNotificationMode(
			agent.ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL))
		return give_up(AGENT_EVENTS);
	(*agent.ti)->AddCapabilities(agent.ti, &more); /* without them, no lines */
	if (!prepare_to_wait() || !connect_all(path))
		return give_up(AGENT_CONNECTIONS);
	if (pthread_create(&thread, NULL, serve, NULL))
		return give_up(AGENT_THREAD);
	pthread_setname_np(thread, "dtrace agent");
	pthread_detach(thread);
	return AGENT_RUNS;
}
