// SPDX-License-Identifier: Apache-2.0
/* Parses, checks and stores the values of options. */
#include "session/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/suggest.h"
#include "base/units.h"
#include "base/vec.h"
#include "confine/privilege.h"
#include "probe/stability.h"
#include "sema/names.h"

#define ERR_NAME   "Invalid option name"
#define ERR_VALUE  "Invalid value for specified option"
#define ERR_LENT   "Option is refused because dtrace has privileges that its caller may lack"
#define ERR_PRAGMA "Option cannot be used from within a D program"
#define ERR_ACTIVE "Operation illegal when tracing is active"

#define SECOND	     1000000000 /* ns */
#define NAME_MAX_LEN 32
#define ENV_PREFIX   "DTRACE_OPT_"

/* The vocabulary of options.def. */
enum { RUN, COMPILE };
enum { DYNAMIC = 1 << 0, NOPRAGMA = 1 << 1, VALUE = 1 << 2, OWN = 1 << 3 };
#define NOW NULL

static const struct option_info table[OPTION_COUNT] = {
#define OPTION(name_, kind_, stage_, flags_, number_, text_, needs_, help_) \
	[OPT_##name_] = {                                                   \
		.name = #name_,                                             \
		.kind = OPTION_##kind_,                                     \
		.compile = (stage_) == COMPILE,                             \
		.dynamic = !!((flags_)&DYNAMIC),                            \
		.nopragma = !!((flags_)&NOPRAGMA),                          \
		.needs_value = !!((flags_)&VALUE),                          \
		.own = !!((flags_)&OWN),                                    \
		.number = (number_),                                        \
		.text = (text_),                                            \
		.needs = (needs_),                                          \
		.help = (help_),                                            \
		.unsupported = "Option '" #name_ "' is not supported yet",  \
	},
#include "session/options.def"
};

static const struct {
	int64_t least, most;
} ranges[OPTION_COUNT] = {
#define RANGE(name, least, most) [OPT_##name] = {(least), (most)},
#include "session/options.def"
};

struct value {
	bool given;
	int64_t number;
	const char *text;
};

struct options {
	struct arena *arena;
	struct value session[OPTION_COUNT];
	struct value program[OPTION_COUNT]; /* set by pragma, for the program being compiled */
	VEC(struct option_item) items;
};

struct options *options_new(struct arena *a)
{
	struct options *o = arena_new_obj(a, struct options);

	o->arena = a;
	return o;
}

int options_find(const char *name)
{
	for (int id = 0; id < OPTION_COUNT; id++)
		if (!strcmp(table[id].name, name))
			return id;
	return -ENOENT;
}

const struct option_info *options_info(enum option_id id)
{
	return &table[id];
}

/* ---- words ---- */

/* Stores the next word of LIST in *WORD and *LEN; returns where to go on, NULL at the end. */
static const char *next_word(const char *list, const char **word, size_t *len)
{
	*word = list + strspn(list, " ");
	*len = strcspn(*word, " ");
	return *len ? *word + *len : NULL;
}

static int word_index(const char *list, const char *value, size_t len)
{
	const char *word;
	size_t word_len;

	for (int i = 0; (list = next_word(list, &word, &word_len)); i++)
		if (word_len == len && !memcmp(word, value, len))
			return i;
	return -EINVAL;
}

const char *options_syntax(enum option_id id, char *buf, size_t size)
{
	static const char *const names[] = {
		[OPTION_FLAG] = "no value",
		[OPTION_BOOL] = "boolean",
		[OPTION_NUMBER] = "number",
		[OPTION_PERCENT] = "percentage",
		[OPTION_SIZE] = "size",
		[OPTION_RATE] = "rate",
		[OPTION_TEXT] = "text",
		[OPTION_LIST] = "text, repeatable",
		[OPTION_VERSION] = "version",
		[OPTION_ATTRIBUTES] = "Name/Data/Class",
	};
	const struct option_info *info = &table[id];
	char separator = info->kind == OPTION_WORDS ? ',' : '|';
	const char *list = info->text, *word;
	size_t len, used = 0;

	if (info->kind != OPTION_WORD && info->kind != OPTION_WORDS) {
		snprintf(buf, size, "%s", names[info->kind]);
		return buf;
	}
	*buf = '\0';
	while (used < size && (list = next_word(list, &word, &len))) {
		if (used)
			used += snprintf(buf + used, size - used, "%c", separator);
		if (used < size)
			used += snprintf(buf + used, size - used, "%.*s", (int)len, word);
	}
	return buf;
}

/* ---- values ---- */

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strcasecmp(text, *words))
			return true;
	return false;
}

/* Parse the value of a BOOL or NUMBER. */
static int parse_scalar(const char *text, int64_t *number)
{
	static const char *const yes[] = {"yes", "enable", "enabled", "true", "on", "set", NULL};
	static const char *const no[] = {
		"no", "disable", "disabled", "false", "off", "unset", NULL};
	const char *end;

	if (!text) {
		*number = 0;
	} else if (!*text || is_one_of(text, no)) {
		*number = OPTION_UNSET;
	} else if (is_one_of(text, yes)) {
		*number = 1;
	} else if (units_parse_integer(text, UNITS_C, number, &end) || *end) {
		return -EINVAL;
	}
	return 0;
}

/* "5%" or "5" */
static int parse_percent(const char *text, int64_t *number)
{
	const char *end;

	if (units_parse_integer(text, UNITS_C, number, &end))
		return -EINVAL;
	return strcmp(end, "%") && *end ? -EINVAL : 0;
}

static int parse_size(const char *text, int64_t *number)
{
	*number = 0;
	return text && units_parse_size(text, number) ? -EINVAL : 0;
}

/* Parse a period, in ns, or a frequency, which becomes a period. */
static int parse_rate(const char *text, int64_t *number)
{
	*number = 0;
	return text && units_parse_time(text, UNITS_C, "ns", number) ? -EINVAL : 0;
}

static int parse_words(const struct option_info *info, const char *text, int64_t *number)
{
	bool several = info->kind == OPTION_WORDS;

	*number = 0;
	for (;;) {
		size_t len = several ? strcspn(text, ",") : strlen(text);
		int i = word_index(info->text, text, len);

		if (i < 0)
			return i;
		if (!several) {
			*number = i;
			return 0;
		}
		*number |= INT64_C(1) << i;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

static int parse_attributes(const char *text, int64_t *number)
{
	struct attributes a;

	if (!attributes_parse(text, &a))
		return -EINVAL;
	*number = a.name << 16 | a.data << 8 | a.klass;
	return 0;
}

static int parse_value(enum option_id id, const char *text, struct value *v)
{
	const struct option_info *info = &table[id];

	if (!text && info->needs_value)
		return -EINVAL;
	switch (info->kind) {
	case OPTION_FLAG:
		v->number = 1;
		return text ? -EINVAL : 0;
	case OPTION_BOOL:
	case OPTION_NUMBER:
		return parse_scalar(text, &v->number);
	case OPTION_PERCENT:
		return parse_percent(text, &v->number);
	case OPTION_SIZE:
		if (id == OPT_lockmem && !strcmp(text, "unlimited")) {
			v->number = OPTION_UNLIMITED;
			return 0;
		}
		return parse_size(text, &v->number);
	case OPTION_RATE:
		return parse_rate(text, &v->number);
	case OPTION_WORD:
	case OPTION_WORDS:
		return parse_words(info, text, &v->number);
	case OPTION_VERSION:
		v->number = dversion_parse(text);
		return v->number == -ENOENT ? -ENOSYS : v->number < 0 ? -EINVAL : 0;
	case OPTION_ATTRIBUTES:
		return parse_attributes(text, &v->number);
	case OPTION_TEXT:
	case OPTION_LIST:
		v->text = text;
		return text ? 0 : -EINVAL;
	}
	return -EINVAL;
}

/* Check a set of bits up to MOST, of which those of KNOWN are supported. */
static int check_bits(int64_t bits, int64_t known, int64_t most)
{
	if (bits < 0 || bits > most)
		return -EINVAL;
	return bits & ~known ? -ENOTSUP : 0;
}

/* Check NAME=VALUE or NAME. */
static int check_variable(const char *text, bool with_value)
{
	size_t len = strcspn(text, "=");

	return len && !!text[len] == with_value ? 0 : -EINVAL;
}

static bool is_ranged(enum option_id id)
{
	return table[id].kind == OPTION_NUMBER || table[id].kind == OPTION_PERCENT;
}

static int64_t most_of(enum option_id id)
{
	return ranges[id].most ? ranges[id].most : INT32_MAX;
}

/* Limits beyond the syntax: a string needs room for one byte and its NUL. */
static int check_limits(enum option_id id, const struct value *v)
{
	bool unset =
		v->number == OPTION_UNSET && !ranges[id].least && table[id].kind == OPTION_NUMBER;

	if (is_ranged(id) && !unset && (v->number < ranges[id].least || v->number > most_of(id)))
		return -EINVAL;
	switch (id) {
	case OPT_disasm:
		return check_bits(v->number, DISASM_CLAUSE | DISASM_PROGRAM, 15);
	case OPT_tree:
		return check_bits(v->number, TREE_PARSE, INT64_MAX);
	case OPT_setenv:
	case OPT_unsetenv:
		return check_variable(v->text, id == OPT_setenv);
	case OPT_interval:
		return v->number >= SECOND && v->number % SECOND == 0 ? 0 : -EINVAL;
	case OPT_sendrate:
		return v->number >= SECOND ? 0 : -EINVAL;
	case OPT_strsize:
		if (v->number < 2)
			return -EINVAL;
		return v->number > UINT32_MAX ? -EOVERFLOW : 0;
	default:
		return 0;
	}
}

/* ---- setting ---- */

static void add_item(struct options *o, enum option_id id, const char *text, size_t len)
{
	struct option_item item = {id, arena_strndup(o->arena, text, len)};

	vec_push(o->arena, &o->items, item);
}

static void add_list(struct options *o, enum option_id id, const char *text)
{
	static const char blanks[] = " \t\n";

	if (id != OPT_cppargs) {
		add_item(o, id, text, strlen(text));
		return;
	}
	for (size_t len; *(text += strspn(text, blanks)); text += len) {
		len = strcspn(text, blanks);
		add_item(o, id, text, len);
	}
}

static int set(struct options *o, enum option_id id, const char *text, enum option_origin origin,
	bool active)
{
	const struct option_info *info = &table[id];
	struct value v = {.given = true};
	int err;

	if (origin == FROM_PRAGMA && info->nopragma)
		return -EPERM;
	if (info->own && privilege_is_lent())
		return -EACCES;
	if (info->needs)
		return -ENOTSUP;
	if (active && !info->dynamic)
		return -EBUSY;
	err = parse_value(id, text, &v);
	if (!err)
		err = check_limits(id, &v);
	if (err)
		return err;
	if (info->kind == OPTION_LIST) {
		add_list(o, id, text);
		return 0;
	}
	/* what an older version did not have cannot come back */
	if (id == OPT_version && options_given(o, id) && v.number > options_number(o, id))
		return -EXDEV;
	if (v.text)
		v.text = arena_strdup(o->arena, v.text);
	if (origin == FROM_PRAGMA && info->compile) {
		o->program[id] = v;
		return 0;
	}
	o->session[id] = v;
	return 0;
}

static const char *error_text(struct options *o, int id, const char *value, int err)
{
	switch (err) {
	case -ENOENT:
		return ERR_NAME;
	case -EPERM:
		return ERR_PRAGMA;
	case -EACCES:
		return ERR_LENT;
	case -EBUSY:
		return ERR_ACTIVE;
	case -ENOTSUP:
		if (table[id].needs)
			return table[id].unsupported;
		return arena_printf(
			o->arena, "Option '%s=%s' is not supported yet", table[id].name, value);
	case -ENOSYS:
		return "Requested version is not supported by compiler";
	case -EXDEV:
		return "Requested version conflicts with earlier setting";
	case -EOVERFLOW:
		return "Value too large for defined data type"; /* strerror's, in any locale */
	default:
		if (id == OPT_version)
			return "Version is not properly formatted or is too large";
		return ERR_VALUE;
	}
}

int options_set(struct options *o, const char *name, const char *value, enum option_origin origin,
	bool active, const char **errtext)
{
	int id = options_find(name);
	int err = id < 0 ? id : set(o, id, value, origin, active);

	if (err && errtext)
		*errtext = error_text(o, id, value, err);
	return err;
}

int options_unset(struct options *o, const char *name, bool active, const char **errtext)
{
	int id = options_find(name), err = id < 0 ? id : 0;

	if (!err && active && !table[id].dynamic)
		err = -EBUSY;
	if (err)
		*errtext = error_text(o, id, NULL, err);
	else
		o->session[id] = (struct value){0};
	return err;
}

const char *options_hint(struct options *o, const char *name, int err)
{
	static const char *const kinds[] = {
		[OPTION_FLAG] = "no value",
		[OPTION_BOOL] = "yes or no",
		[OPTION_SIZE] = "a size, such as 64k or 4m",
		[OPTION_RATE] = "a rate, such as 100ms or 10hz",
		[OPTION_TEXT] = "a text",
		[OPTION_LIST] = "a text",
		[OPTION_VERSION] = "a version of D, such as 1.6",
		[OPTION_ATTRIBUTES] = "attributes, such as Evolving/Evolving/Common",
	};
	char words[128];
	struct suggest s;
	int id = options_find(name);

	if (err == -EINVAL && id >= 0 && is_ranged((enum option_id)id))
		return arena_printf(o->arena, "%s is from %" PRId64 " to %" PRId64 "%s", name,
			ranges[id].least, most_of(id), table[id].kind == OPTION_PERCENT ? "%" : "");
	if (err == -EINVAL && id >= 0)
		return arena_printf(o->arena, "%s takes %s", name,
			table[id].kind == OPTION_WORD || table[id].kind == OPTION_WORDS
				? options_syntax((enum option_id)id, words, sizeof(words))
				: kinds[table[id].kind]);
	if (err != -ENOENT)
		return NULL;
	suggest_begin(&s, name);
	for (id = 0; id < OPTION_COUNT; id++)
		suggest_offer(&s, table[id].name);
	return suggest_best(&s) ? arena_printf(o->arena, "did you mean %s?", suggest_best(&s))
				: NULL;
}

void options_from_environment(struct options *o)
{
	char name[sizeof(ENV_PREFIX) + NAME_MAX_LEN];
	const char *value;
	size_t i;

	/* the caller's wishes are not those of whoever lent the program its privileges */
	if (privilege_is_lent())
		return;
	/* what depends on the machine is not told to tests */
	if (getenv("_DTRACE_TESTING")) {
		options_set(o, "quietresize", NULL, FROM_COMMAND, false, NULL);
		options_set(o, "noprefix", NULL, FROM_COMMAND, false, NULL);
	}
	if (getenv("DTRACE_DEBUG"))
		options_set(o, "debug", NULL, FROM_COMMAND, false, NULL);
	for (int id = 0; id < OPTION_COUNT; id++) {
		strcpy(name, ENV_PREFIX);
		for (i = 0; i < NAME_MAX_LEN && table[id].name[i]; i++)
			name[sizeof(ENV_PREFIX) - 1 + i] =
				toupper((unsigned char)table[id].name[i]);
		name[sizeof(ENV_PREFIX) - 1 + i] = '\0';
		value = getenv(name);
		if (value)
			options_set(o, table[id].name, value, FROM_COMMAND, false, NULL);
	}
}

void options_end_program(struct options *o)
{
	memset(o->program, 0, sizeof(o->program));
}

void options_keep_program(struct options *o)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (o->program[i].given)
			o->session[i] = o->program[i];
	options_end_program(o);
}

/* ---- reading ---- */

static const struct value *current(const struct options *o, enum option_id id)
{
	return o->program[id].given ? &o->program[id] : &o->session[id];
}

int64_t options_number(const struct options *o, enum option_id id)
{
	const struct option_info *info = &table[id];
	const struct value *v = current(o, id);
	int64_t number = v->given ? v->number : info->number;

	if (info->kind == OPTION_FLAG || info->kind == OPTION_BOOL)
		return number != OPTION_UNSET;
	return number == OPTION_UNSET ? info->number : number;
}

bool options_on(const struct options *o, enum option_id id)
{
	return options_number(o, id) != 0;
}

bool options_given(const struct options *o, enum option_id id)
{
	return current(o, id)->given;
}

const char *options_string(const struct options *o, enum option_id id)
{
	const struct value *v = current(o, id);

	return v->given ? v->text : table[id].text;
}

const char *options_nth(const struct options *o, enum option_id id, uint32_t i)
{
	for (uint32_t k = 0; k < o->items.len; k++)
		if (o->items.data[k].id == id && !i--)
			return o->items.data[k].value;
	return NULL;
}

const struct option_item *options_items(const struct options *o, uint32_t *count)
{
	*count = o->items.len;
	return o->items.data;
}
