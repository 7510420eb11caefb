// SPDX-License-Identifier: Apache-2.0
/*
 * The agent that dtrace loads into a Java VM: reports classes and methods, adds calls to methods
 * and takes them away.
 *
 * It connects to a socket, its options say where, and obeys lines:
 *	L GLOB		-> "M index static class name descriptor" of each method with code, then "."
 *	E index number entry return args	use NUMBER for the method
 *	G		-> "." once all such methods are changed, else what is wrong
 * At the end of the connection, whatever its reason, all methods get their own code back.  JVMTI
 * has no way to unload an agent, so what is used by a session stays: its code and its helper class.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "edit.h"

#define NUMBERS 16384 /* half the stubs in stubs.S */

extern const char dtrace_java_stubs[] __attribute__((visibility("hidden")));

struct method {
	jclass class; /* a global reference */
	jmethodID id;
	unsigned klass; /* the number of the class */
	char *name, *desc;
	bool is_static, enabled;
	struct method_edit edit;
};

/* One agent is one copy of this file in the VM: a session's own. */
static struct agent {
	JavaVM *vm;
	jvmtiEnv *ti;
	FILE *in, *out;
	char helper[64];
	jclass helper_class;  /* a global reference */
	pthread_mutex_t lock; /* of what follows */
	struct method *methods;
	unsigned n, cap, classes;
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
static unsigned class_methods(JNIEnv *env, jclass class, const jmethodID *ids, jint n)
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
	return first;
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

static void list_class(JNIEnv *env, jclass class, const char *glob)
{
	jvmtiEnv *ti = agent.ti;
	char *name = class_name(class);
	jmethodID *ids = NULL;
	jint n = 0;

	if (name && (!*glob || !fnmatch(glob, name, 0)) &&
		!(*ti)->GetClassMethods(ti, class, &n, &ids)) {
		unsigned i = class_methods(env, class, ids, n);
		unsigned klass = i < agent.n ? agent.methods[i].klass : 0;

		for (; i < agent.n && agent.methods[i].klass == klass; i++)
			fprintf(agent.out, "M %u %d %s %s %s\n", i, agent.methods[i].is_static,
				name, agent.methods[i].name, agent.methods[i].desc);
		(*ti)->Deallocate(ti, (unsigned char *)ids);
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
		list_class(env, classes[i], glob);
		(*env)->DeleteLocalRef(env, classes[i]);
	}
	(*ti)->Deallocate(ti, (unsigned char *)classes);
	pthread_mutex_unlock(&agent.lock);
	fputs(".\n", agent.out);
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

/* All classes with an enabled method at once: each pause of the VM costs. */
static void transform(JNIEnv *env)
{
	jclass *classes = calloc(agent.n + 1, sizeof(*classes));
	jvmtiError err = JVMTI_ERROR_NONE;
	unsigned last = 0;
	jint n = 0;

	for (unsigned i = 0; classes && i < agent.n; i++) {
		const struct method *m = &agent.methods[i];

		if (!m->enabled || m->klass == last)
			continue;
		last = m->klass;
		classes[n++] = m->class;
		if (!allow_helper(env, m->class)) {
			char *name = class_name(m->class);

			fail("class %s: its loader does not find package dtrace, which the "
			     "changed methods call",
				name ? name : "?");
			free(name);
		}
	}
	if (n && !agent.error[0])
		err = (*agent.ti)->RetransformClasses(agent.ti, n, classes);
	if (err) {
		char *text = NULL;

		(*agent.ti)->GetErrorName(agent.ti, err, &text);
		fail("the VM refuses the changed methods: %s", text ? text : "?");
		(*agent.ti)->Deallocate(agent.ti, (unsigned char *)text);
	}
	free(classes);
}

static void obey(JNIEnv *env, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (*line == 'L')
		list(env, line + 2);
	if (*line == 'E')
		enable(line + 2);
	if (*line == 'G') {
		agent.error[0] = '\0';
		transform(env);
		fprintf(agent.out, "%s\n", agent.error[0] ? agent.error : ".");
	}
	fflush(agent.out);
}

static void restore(JNIEnv *env)
{
	(*agent.ti)->SetEventNotificationMode(
		agent.ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
	transform(env);
	(*agent.ti)->DisposeEnvironment(agent.ti);
}

static void *serve(void *arg)
{
	JavaVMAttachArgs as = {JNI_VERSION_1_6, (char *)"dtrace agent", NULL};
	JNIEnv *env = NULL;
	char *line = NULL;
	size_t cap = 0;

	if (!(*agent.vm)->AttachCurrentThreadAsDaemon(agent.vm, (void **)&env, &as)) {
		if (define_helper(env)) {
			fputs(".\n", agent.out);
			fflush(agent.out);
			while (getline(&line, &cap, agent.in) > 0)
				obey(env, line);
		} else {
			fputs("the VM refuses the helper class\n", agent.out);
		}
		restore(env);
		(*agent.vm)->DetachCurrentThread(agent.vm);
	}
	free(line);
	fclose(agent.in);
	fclose(agent.out); /* tells dtrace that everything is restored */
	return NULL;
}

/* ---- loading ---- */

static bool connect_to(const char *path)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return false;
	snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to))) {
		close(fd);
		return false;
	}
	agent.in = fdopen(fd, "r");
	agent.out = fdopen(dup(fd), "w");
	return agent.in && agent.out;
}

/* Options: the socket's path and the helper's name. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	const jvmtiCapabilities want = {
		.can_retransform_classes = 1, .can_retransform_any_class = 1};
	const jvmtiEventCallbacks calls = {.ClassFileLoadHook = on_class};
	char path[108];
	pthread_t thread;

	if (sscanf(options, "%107s %63s", path, agent.helper) != 2)
		return 1;
	agent.vm = vm;
	if ((*vm)->GetEnv(vm, (void **)&agent.ti, JVMTI_VERSION_1_1) ||
		(*agent.ti)->AddCapabilities(agent.ti, &want) ||
		(*agent.ti)->SetEventCallbacks(agent.ti, &calls, sizeof(calls)) ||
		(*agent.ti)->SetEventNotificationMode(
			agent.ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL))
		return 2;
	if (!connect_to(path))
		return 3;
	if (pthread_create(&thread, NULL, serve, NULL))
		return 4;
	pthread_setname_np(thread, "dtrace agent");
	pthread_detach(thread);
	return 0;
}
