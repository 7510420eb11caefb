# SPDX-License-Identifier: Apache-2.0
# A comment that begins with ## after a target is its line of `make help`.
CC ?= cc
CLANG ?= clang
B := build$(if $(SAN),-san)
VERSION := 0.1
SOVERSION := 0

prefix ?= /usr/local
exec_prefix ?= $(prefix)
sbindir ?= $(exec_prefix)/sbin
libdir ?= $(exec_prefix)/lib
includedir ?= $(prefix)/include
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man

WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
WARN += -Wno-unused-parameter -Wno-sign-compare -Wvla -Wwrite-strings $(if $(WERROR),-Werror)
CFLAGS ?= -O2 -g
SANFLAGS := $(if $(SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
ALL_CFLAGS = -std=gnu11 $(WARN) -fvisibility=hidden -fPIC -Iinclude -Isrc \
	-DDTRACE_RELEASE='"$(VERSION)"' $(CPPFLAGS) $(CFLAGS) $(SANFLAGS)
LINK = $(CC) $(CFLAGS) $(SANFLAGS) $(LDFLAGS)
# the folder of the libraries of this architecture on Debian; empty elsewhere
MULTIARCH := $(shell $(CC) -print-multiarch)
BPF_CFLAGS = -target bpf -mcpu=v3 -O2 -g -Wall -Isrc -I/usr/include/$(MULTIARCH)
LIBS := -lbpf -lelf -ldw -lz -llzma -liberty
# Debian has bpftool and ldconfig there
export PATH := $(PATH):/usr/sbin:/sbin
# make V=1 shows the commands
run = $(if $(V),,@printf '  %-8s%s\n' $(1) $(@:$(B)/%=%) && )
# one job for each processor, unless -j is given
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

SRCS := $(filter-out %.bpf.c,$(sort $(wildcard src/*/*.c)))
OBJS := $(SRCS:%.c=$(B)/%.o)
CMD := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard cmd/dtrace/*.c)))
SO := $(B)/libdtrace.so

all: $(B)/dtrace $(SO) $(B)/libdtrace.a ## build/dtrace, build/libdtrace.so, build/libdtrace.a; SAN=1 with sanitizers, in build-san

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The run-time library: src/rt/rt.bpf.c includes the other files, rt_image.c embeds the object.
$(B)/%.bpf.o: %.bpf.c
	@mkdir -p $(@D)
	$(call run,BPF)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/src/load/rt_image.o: $(B)/src/rt/rt.bpf.o
$(B)/src/load/rt_image.o: ALL_CFLAGS += -DRT_IMAGE='"$(B)/src/rt/rt.bpf.o"'

$(B)/src/compile/libdir.o $(B)/tests/unit/test_libdir.o: ALL_CFLAGS += -DDTRACE_LIBDIR='"$(libdir)/dtrace"' $(if $(MULTIARCH),-DDTRACE_MULTIARCH='"$(MULTIARCH)"')

# The list of objects is rewritten if a source file is added or removed.
$(B)/objs: FORCE
	@mkdir -p $(@D)
	@echo '$(OBJS) $(CMD)' | cmp -s - $@ || echo '$(OBJS) $(CMD)' > $@

# internal.a has every symbol, for unit tests; libdtrace.a is one object that exports only dtrace_*.
$(B)/internal.a: $(OBJS) $(B)/objs
	@rm -f $@
	$(call run,AR)$(AR) rcs $@ $(OBJS)

$(B)/libdtrace.a: $(OBJS) $(B)/objs
	@$(CC) -r -nostdlib -o $(B)/libdtrace.o $(OBJS)
	@objcopy --localize-hidden $(B)/libdtrace.o
	@rm -f $@
	$(call run,AR)$(AR) rcs $@ $(B)/libdtrace.o

$(SO): $(OBJS) $(B)/objs src/libdtrace.map
	$(call run,LINK)$(LINK) -shared -Wl,-soname,libdtrace.so.$(SOVERSION) -Wl,--version-script=src/libdtrace.map \
		-o $@.$(VERSION) $(OBJS) $(LIBS)
	@ln -sf libdtrace.so.$(VERSION) $@.$(SOVERSION)
	@ln -sf libdtrace.so.$(SOVERSION) $@

$(B)/dtrace: $(CMD) $(B)/libdtrace.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)
	@ln -sfn $(abspath dlib) $(B)/dlib

# On Debian 12: libelf.a of Debian 13 lacks eu_search_tree_init.
static: ## build/dtrace-static, one file that needs no shared libraries
	@.ci/deps build static
	@$(MAKE) --no-print-directory $(JOBS) $(B)/dtrace-static
$(B)/dtrace-static: $(CMD) $(B)/cmd/static/dlopen.o $(B)/libdtrace.a
	$(call run,LINK)$(CC) $(CFLAGS) -static -Wl,--wrap=dlopen $(LDFLAGS) -o $@ $^ $(shell pkg-config --static --libs libbpf libdw libelf zlib liblzma) -liberty

# ---- tests

UNIT := $(patsubst %.c,$(B)/%,$(filter-out %.bpf.c,$(wildcard tests/unit/test_*.c)))
UNITBPF := $(patsubst %.bpf.c,$(B)/%.bpf.o,$(wildcard tests/unit/*.bpf.c))
TRIGGERS := $(patsubst %.c,$(B)/%,$(shell find tests/live -name '*.c'))

FUZZMAINS := $(wildcard tests/fuzz/fuzz_*.c) tests/fuzz/torture.c
FUZZ := $(FUZZMAINS:%.c=$(B)/%)

RECORDS := $(B)/tests/golden/output/records
RUNNER := $(B)/tests/runner/guard $(B)/tests/runner/has

tests: $(RUNNER) $(UNIT) $(UNITBPF) $(TRIGGERS) $(FUZZ) $(RECORDS) bench-programs ## build the programs of the tests

# tests/run starts each test under guard, and asks has for kernel features.
$(B)/tests/runner/%: tests/runner/%.c
	@mkdir -p $(@D)
	$(call run,CC)$(CC) -std=gnu11 -O2 $(WARN) -o $@ $< $(if $(filter %/has,$@),-lbpf)

$(B)/tests/fuzz.a: $(patsubst %.c,$(B)/%.o,$(filter-out $(FUZZMAINS),$(wildcard tests/fuzz/*.c)))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz.a $(B)/internal.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/internal.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)

# tests/unit/fail_alloc.h decides when their allocations fail
$(B)/tests/unit/test_heapvec $(B)/tests/unit/test_intmap: override LDFLAGS += -Wl,--wrap=calloc,--wrap=realloc

# The driver of the .rec files of tests/golden; its symbol table replaces src/sym.
$(RECORDS): $(patsubst %.c,$(B)/%.o,$(wildcard tests/golden/output/driver/*.c)) $(B)/internal.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)

# The flags of a trigger are in its source, after "@cc".
$(B)/tests/live/%: tests/live/%.c $(wildcard tests/live/triggers/*.h)
	@mkdir -p $(@D)
	$(call run,CC)$(CC) -std=gnu11 -g -O1 -fno-omit-frame-pointer -Wall -o $@ $< $(shell sed -n '1,9s/.*@cc \([^*]*\).*/\1/p' $<)

check: ## build and run all tests this machine can run; T=path for those at or below it
	@.ci/deps build check guest
	@$(MAKE) --no-print-directory $(JOBS) WERROR=1 all tests
	@BUILD=$(B) tests/run $(T)

# The kernels are downloaded to build/vm.
check-vm: ## the tests that trace, on Linux 6.1 and 6.12 in QEMU; K=6.1 for one of them, T=path
	@.ci/deps build check guest
	@$(MAKE) --no-print-directory $(JOBS) WERROR=1 all tests
	@BUILD=$(B) KERNELS="$(or $(K),$(KERNELS),6.1 6.12)" tests/vm/check $(T)

# It uses the results of the last make check and make check-vm.
kernels-doc: all ## write docs/KERNELS.md: features of this kernel and of those in QEMU; as root
	BUILD=$(B) tests/kernels/collect
	tests/kernels/page

torture: all tests ## load random D programs, as root; SECONDS=600, SEED=1
	@$(B)/tests/fuzz/torture -d $(B)/dtrace -t $(B)/tests/live/triggers/calls -S $(or $(SECONDS),60) \
		-s $(or $(SEED),$(shell date +%s)000) -z 8 -j $(shell nproc) -o $(B)/torture

coverage: ## write build/COVERAGE.md: the tests of each row of the reference of D
	@mkdir -p $(B)
	@tests/coverage >$(B)/COVERAGE.md
	@echo $(B)/COVERAGE.md

update: all tests ## accept the output of the tests below T=path as expected
	@BUILD=$(B) tests/run -u $(T)

# ---- the rest

deps: ## install the packages that building needs (Debian 12 or later)
	@.ci/deps build

demo: ## trace a small workload for a few seconds, as root
	@.ci/deps build
	@$(MAKE) --no-print-directory $(JOBS) all
	@examples/demo $(B)/dtrace

bench: ## measure the cost of tracing, compared with bpftrace, as root; BENCHFLAGS='-m uprobes'
	@.ci/deps build guest bench
	@$(MAKE) --no-print-directory $(JOBS) all bench-programs $(RUNNER)
	@BUILD=$(B) bench/run $(BENCHFLAGS)

bench-programs: $(addprefix $(B)/bench/,getppid burst clock empty empty.bpf.o uprobe.bpf.o output drain events) ## build the programs that make bench runs

# These measure parts of the library alone.
$(B)/bench/output $(B)/bench/drain: $(B)/bench/%: $(B)/bench/%.o $(B)/internal.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)

$(B)/bench/events: bench/uprobe.h
$(B)/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(call run,CC)$(CC) -std=gnu11 -O2 $(WARN) $(if $(filter %/empty,$@),,-static) -o $@ $< $(if $(filter %/empty,$@),-lbpf)

install: all ## install the command, the library, D libraries and the manual page; prefix=/usr/local, libdir, DESTDIR
	install -d $(DESTDIR)$(sbindir) $(DESTDIR)$(libdir)/pkgconfig $(DESTDIR)$(libdir)/dtrace \
		$(DESTDIR)$(includedir)/dtrace $(DESTDIR)$(mandir)/man8
	install -m 755 $(B)/dtrace $(DESTDIR)$(sbindir)
	install -m 644 $(SO).$(VERSION) $(DESTDIR)$(libdir)
	ln -sf libdtrace.so.$(VERSION) $(DESTDIR)$(libdir)/libdtrace.so.$(SOVERSION)
	ln -sf libdtrace.so.$(SOVERSION) $(DESTDIR)$(libdir)/libdtrace.so
	install -m 644 $(B)/libdtrace.a $(DESTDIR)$(libdir)
	install -m 644 include/dtrace.h $(DESTDIR)$(includedir)
	install -m 644 include/dtrace/*.h $(DESTDIR)$(includedir)/dtrace
	sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
		-e 's|@version@|$(VERSION)|' src/libdtrace.pc.in > $(DESTDIR)$(libdir)/pkgconfig/libdtrace.pc
	$(if $(wildcard dlib/*.d),install -m 644 dlib/*.d $(DESTDIR)$(libdir)/dtrace)
	$(if $(wildcard docs/*.8),install -m 644 docs/*.8 $(DESTDIR)$(mandir)/man8)
	$(if $(DESTDIR),,-ldconfig)

uninstall: ## remove what make install installed, with the same variables
	rm -f $(DESTDIR)$(sbindir)/dtrace $(DESTDIR)$(includedir)/dtrace.h $(DESTDIR)$(libdir)/libdtrace.a $(DESTDIR)$(libdir)/libdtrace.so \
		$(DESTDIR)$(libdir)/libdtrace.so.$(SOVERSION) $(DESTDIR)$(libdir)/libdtrace.so.$(VERSION) \
		$(DESTDIR)$(libdir)/pkgconfig/libdtrace.pc $(patsubst docs/%,$(DESTDIR)$(mandir)/man8/%,$(wildcard docs/*.8))
	rm -rf $(DESTDIR)$(libdir)/dtrace $(DESTDIR)$(includedir)/dtrace

# make prints the commands without running them; each that names a .c file is an entry.
compile_commands.json: ## the compiler command of each C file, for clangd and other tools
	@$(MAKE) -Bnk --no-print-directory V=1 all tests | \
		awk -v entry='%s{"directory": "$(CURDIR)", "file": "%s", "command": "%s"}' \
		'{ command = $$0; gsub(/[\\"]/, "\\\\&", command); for (i = 1; i <= NF; i++) if ($$i ~ /\.c$$/) \
			printf entry, n++ ? ",\n" : "[\n", $$i, command } END { print "\n]" }' > $@

help: ## list the targets
	@echo 'make TARGET [VARIABLE=value]...; without a target it builds:'
	@sed -nE 's/^([a-z][a-z_.-]*):[^#=]*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS="$$(printf '\t')" read -r target text; do printf '  %-22s %s\n' "$$target" "$$text"; done

clean: ## remove build/ and build-san/
	rm -rf build build-san

-include $(shell find $(B) -path '$(B)/torture' -prune -o -path '$(B)/vm' -prune -o -name '*.d' -print 2>/dev/null)
.PHONY: all static tests check check-vm kernels-doc torture coverage update deps demo bench bench-programs install uninstall help clean \
	compile_commands.json
FORCE:
.SECONDARY:
.DELETE_ON_ERROR:
