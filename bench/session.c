// SPDX-License-Identifier: Apache-2.0
/*
 * Prints a saved session (docs/json.md) with one aggregation of many user stacks:
 *
 *	session STACKS DEPTH
 *
 * The stacks are always the same.  They share prefixes as those of programs do: each takes a prefix
 * of an earlier one and goes on from there, mostly for a few frames.  40,000 stacks of 40 frames
 * are a tree of some 120,000 nodes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS 6000
#define OBJECTS	  24

static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t draw(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 32) % n);
}

/* ---- names ---- */

static char functions[FUNCTIONS][64];
static unsigned objects[FUNCTIONS];
static const char *const object_names[OBJECTS] = {"postgres", "libc.so.6", "libpthread.so.0",
	"libssl.so.3", "libcrypto.so.3", "libxml2.so.2", "libz.so.1", "liblz4.so.1", "libm.so.6",
	"libicui18n.so.72", "libicuuc.so.72", "libldap-2.5.so.0", "libselinux.so.1",
	"libstdc++.so.6", "libgcc_s.so.1", "libkrb5.so.3", "plpgsql.so", "pg_stat_statements.so",
	"libsystemd.so.0", "libcap.so.2", "libzstd.so.1", "llvmjit.so", "libLLVM-14.so.1",
	"[vdso]"};

static void make_names(void)
{
	static const char *const words[] = {"heap", "index", "exec", "scan", "tuple", "page",
		"buffer", "lock", "relation", "plan", "node", "init", "read", "write", "hash",
		"sort", "merge", "join", "cache", "lookup", "insert", "update", "visit", "expr",
		"eval", "std::vector<int>::", "operator<<", "parse", "analyze", "commit", "log",
		"recover"};

	for (unsigned i = 0; i < FUNCTIONS; i++) {
		char *p = functions[i];
		unsigned n = 2 + draw(3);

		for (unsigned k = 0; k < n; k++)
			p += sprintf(p, "%s_", words[draw(sizeof(words) / sizeof(words[0]))]);
		sprintf(p, "%u", i);
		/* most code is the program's own */
		objects[i] = draw(2) ? 0 : draw(OBJECTS);
	}
}

/* ---- the tree ---- */

struct node {
	uint32_t parent, function;
};

static struct node *nodes;
static uint32_t nnodes = 1, room;
static uint32_t *slots, nslots;

static uint32_t *slot_of(uint32_t parent, uint32_t function)
{
	uint32_t i = (parent * 2654435761u ^ function * 40503u) % nslots;

	while (slots[i] &&
		(nodes[slots[i]].parent != parent || nodes[slots[i]].function != function))
		i = (i + 1) % nslots;
	return &slots[i];
}

/* A child of PARENT that there was not before. */
static uint32_t new_child(uint32_t parent)
{
	uint32_t function, *slot;

	do {
		function = draw(FUNCTIONS);
		slot = slot_of(parent, function);
	} while (*slot);
	*slot = nnodes;
	nodes[nnodes] = (struct node){parent, function};
	return nnodes++;
}

/* How many frames a stack has of its own. */
static uint32_t own_frames(uint32_t depth)
{
	uint32_t n = 1;

	if (!draw(10))
		return 1 + draw(depth * 5 / 8);
	while (draw(2))
		n++;
	return n < depth ? n : depth;
}

static uint32_t new_stack(uint32_t earlier, uint32_t depth)
{
	uint32_t node = earlier, n = earlier ? own_frames(depth) : depth;

	for (uint32_t i = 0; earlier && i < n; i++)
		node = nodes[node].parent;
	for (uint32_t i = 0; i < n; i++)
		node = new_child(node);
	return node;
}

/* ---- JSON ---- */

static void put_stack(uint32_t leaf)
{
	uint32_t callee = 0;

	fputs("{\"keys\":[{\"kind\":\"ustack\",\"size\":328,\"value\":[", stdout);
	for (uint32_t n = leaf; n; n = nodes[n].parent) {
		uint32_t f = nodes[n].function, offset = (f * 31 + callee * 17) % 900;

		printf("%s{\"address\":%llu,\"object\":\"%s\",\"symbol\":\"%s\",\"offset\":%u}",
			n == leaf ? "" : ",", 0x7f0000000000ull + f * 1024ull + offset,
			object_names[objects[f]], functions[f], offset);
		callee = f;
	}
	printf("],\"pid\":4711}],\"values\":[{\"value\":%u}]}", 1 + draw(1 + draw(200)));
}

int main(int argc, char **argv)
{
	uint32_t stacks = argc > 1 ? (uint32_t)atoi(argv[1]) : 40000;
	uint32_t depth = argc > 2 ? (uint32_t)atoi(argv[2]) : 40;
	uint32_t *leaves = calloc(stacks + 1ul, sizeof(*leaves));

	if (!stacks || !depth || depth > 1000 || stacks > 1000000)
		return 2;
	room = stacks * (depth + 1) + 1;
	nslots = 2 * room + 1;
	nodes = calloc(room, sizeof(*nodes));
	slots = calloc(nslots, sizeof(*slots));
	if (!nodes || !slots || !leaves)
		return 1;
	make_names();
	puts("{\"type\":\"session\",\"schema\":2,\"version\":\"0.1\"}");
	fputs("{\"type\":\"aggregation\",\"aggregations\":[{\"name\":\"_\",\"id\":1,"
	      "\"function\":\"count\"}],\"rows\":[",
		stdout);
	for (uint32_t i = 0; i < stacks; i++) {
		leaves[i] = new_stack(i ? leaves[draw(i)] : 0, depth);
		if (i)
			putchar(',');
		put_stack(leaves[i]);
	}
	puts("]}\n{\"type\":\"end\",\"records\":0,\"drops\":0,\"errors\":0}");
	fprintf(stderr, "%u stacks, %u nodes\n", stacks, nnodes - 1);
	return fflush(stdout) || ferror(stdout);
}
