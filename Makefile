# SPDX-License-Identifier: Apache-2.0
# make [SAN=1]; `make help` lists the targets
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
	-DDTRACE_RELEASE='"$(VERSION)"' -DDTRACE_LIBDIR='"$(libdir)/dtrace"' $(CFLAGS) $(SANFLAGS)
BPF_CFLAGS = -target bpf -mcpu=v3 -O2 -g -Wall -Isrc -I/usr/include/$(shell $(CC) -print-multiarch)
LIBS := -lbpf -lelf -ldw -lz -llzma -liberty
# where Debian keeps bpftool and ldconfig
export PATH := $(PATH):/usr/sbin:/sbin
# make V=1 shows the commands
run = $(if $(V),,@printf '  %-8s%s\n' $(1) $(@:$(B)/%=%) && )
# one job a processor, unless make was told how many
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

SRCS := $(filter-out %.bpf.c,$(sort $(wildcard src/*/*.c)))
OBJS := $(SRCS:%.c=$(B)/%.o)
CMD := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard cmd/dtrace/*.c)))
SO := $(B)/libdtrace.so

all: $(B)/dtrace $(SO) $(B)/libdtrace.a

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# the run-time library: src/rt/rt.bpf.c includes the rest, rt_image.c embeds the object
$(B)/%.bpf.o: %.bpf.c
	@mkdir -p $(@D)
	$(call run,BPF)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/src/load/rt_image.o: $(B)/src/rt/rt.bpf.o
$(B)/src/load/rt_image.o: ALL_CFLAGS += -DRT_IMAGE='"$(B)/src/rt/rt.bpf.o"'

# the list of objects, rewritten when a source file comes or goes
$(B)/objs: FORCE
	@mkdir -p $(@D)
	@echo '$(OBJS) $(CMD)' | cmp -s - $@ || echo '$(OBJS) $(CMD)' > $@

# internal.a has every symbol, for unit tests; libdtrace.a only dtrace_*, as one object
$(B)/internal.a: $(OBJS) $(B)/objs
	@rm -f $@
	$(call run,AR)$(AR) rcs $@ $(OBJS)

$(B)/libdtrace.a: $(OBJS) $(B)/objs
	@$(CC) -r -nostdlib -o $(B)/libdtrace.o $(OBJS)
	@objcopy --localize-hidden $(B)/libdtrace.o
	@rm -f $@
	$(call run,AR)$(AR) rcs $@ $(B)/libdtrace.o

$(SO): $(OBJS) $(B)/objs src/libdtrace.map
	$(call run,LINK)$(CC) $(SANFLAGS) -shared -Wl,-soname,libdtrace.so.$(SOVERSION) -Wl,--version-script=src/libdtrace.map \
		$(LDFLAGS) -o $@.$(VERSION) $(OBJS) $(LIBS)
	@ln -sf libdtrace.so.$(VERSION) $@.$(SOVERSION)
	@ln -sf libdtrace.so.$(SOVERSION) $@

$(B)/dtrace: $(CMD) $(B)/libdtrace.a
	$(call run,LINK)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
	@ln -sfn $(abspath dlib) $(B)/dlib

# one file that needs no library where it runs; on Debian 12 (13's libelf.a lacks eu_search_tree_init)
static:
	@.ci/deps build static
	@$(MAKE) --no-print-directory $(JOBS) $(B)/dtrace-static
$(B)/dtrace-static: $(CMD) $(B)/cmd/static/dlopen.o $(B)/libdtrace.a
	$(call run,LINK)$(CC) -static -Wl,--wrap=dlopen $(LDFLAGS) -o $@ $^ $(shell pkg-config --static --libs libbpf libdw libelf zlib liblzma) -liberty

# ---- tests

UNIT := $(patsubst %.c,$(B)/%,$(filter-out %.bpf.c,$(wildcard tests/unit/test_*.c)))
UNITBPF := $(patsubst %.bpf.c,$(B)/%.bpf.o,$(wildcard tests/unit/*.bpf.c))
TRIGGERS := $(patsubst %.c,$(B)/%,$(shell find tests/live -name '*.c'))

FUZZMAINS := $(wildcard tests/fuzz/fuzz_*.c) tests/fuzz/torture.c
FUZZ := $(FUZZMAINS:%.c=$(B)/%)

RECORDS := $(B)/tests/golden/output/records
RUNNER := $(B)/tests/runner/guard $(B)/tests/runner/has

tests: $(RUNNER) $(UNIT) $(UNITBPF) $(TRIGGERS) $(FUZZ) $(RECORDS) bench-programs

# what tests/run starts each test under, and asks what the kernel can do
$(B)/tests/runner/%: tests/runner/%.c
	@mkdir -p $(@D)
	$(call run,CC)$(CC) -std=gnu11 -O2 $(WARN) -o $@ $< $(if $(filter %/has,$@),-lbpf)

$(B)/tests/fuzz.a: $(patsubst %.c,$(B)/%.o,$(filter-out $(FUZZMAINS),$(wildcard tests/fuzz/*.c)))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz.a $(B)/internal.a
	$(call run,LINK)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/internal.a
	$(call run,LINK)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# tests/unit/fail_alloc.h decides when their allocations fail
$(B)/tests/unit/test_heapvec $(B)/tests/unit/test_intmap: LDFLAGS += -Wl,--wrap=calloc,--wrap=realloc

# what the .rec files of tests/golden go through; its symbol table takes the place of src/sym
$(RECORDS): $(patsubst %.c,$(B)/%.o,$(wildcard tests/golden/output/driver/*.c)) $(B)/internal.a
	$(call run,LINK)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# a trigger's flags stand in it, after "@cc"
$(B)/tests/live/%: tests/live/%.c $(wildcard tests/live/triggers/*.h)
	@mkdir -p $(@D)
	$(call run,CC)$(CC) -std=gnu11 -g -O1 -fno-omit-frame-pointer -Wall -o $@ $< $(shell sed -n '1,9s/.*@cc \([^*]*\).*/\1/p' $<)

check:
	@.ci/deps build check
	@$(MAKE) --no-print-directory $(JOBS) WERROR=1 all tests
	@BUILD=$(B) tests/run $(T)

# the tests that trace, on stock kernels in QEMU, which it downloads to build/vm; K=6.1 on one of them
check-vm:
	@.ci/deps build check
	@$(MAKE) --no-print-directory $(JOBS) WERROR=1 all tests
	@BUILD=$(B) KERNELS="$(or $(K),$(KERNELS),6.1 6.12)" tests/vm/check $(T)

# docs/KERNELS.md, from what this kernel and those in QEMU can do and the last runs of check and check-vm
kernels-doc: all
	BUILD=$(B) tests/kernels/collect
	tests/kernels/page

# random programs for a while, as root: make torture SECONDS=600
torture: all tests
	@$(B)/tests/fuzz/torture -d $(B)/dtrace -t $(B)/tests/live/triggers/calls -S $(or $(SECONDS),60) \
		-s $(or $(SEED),$(shell date +%s)000) -z 8 -j $(shell nproc) -o $(B)/torture

update: all tests
	@BUILD=$(B) tests/run -u $(T)

# ---- the rest

deps:
	@.ci/deps build

demo:
	@.ci/deps build
	@$(MAKE) --no-print-directory $(JOBS) all
	@tools/demo $(B)/dtrace

bench:
	@.ci/deps build bench
	@$(MAKE) --no-print-directory $(JOBS) all bench-programs
	@BUILD=$(B) bench/run $(BENCHFLAGS)

bench-programs: $(addprefix $(B)/bench/,getppid burst clock empty empty.bpf.o uprobe.bpf.o output drain events)

# parts of the library by themselves
$(B)/bench/output $(B)/bench/drain: $(B)/bench/%: $(B)/bench/%.o $(B)/internal.a
	$(call run,LINK)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/bench/events: bench/uprobe.h
$(B)/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(call run,CC)$(CC) -std=gnu11 -O2 $(WARN) $(if $(filter %/empty,$@),,-static) -o $@ $< $(if $(filter %/empty,$@),-lbpf)

install: all
	install -d $(DESTDIR)$(sbindir) $(DESTDIR)$(libdir)/pkgconfig $(DESTDIR)$(libdir)/dtrace \
		$(DESTDIR)$(includedir)/dtrace $(DESTDIR)$(mandir)/man8
	install -m 755 $(B)/dtrace $(DESTDIR)$(sbindir)
	install -m 755 $(SO).$(VERSION) $(DESTDIR)$(libdir)
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

uninstall:
	rm -f $(DESTDIR)$(sbindir)/dtrace $(DESTDIR)$(includedir)/dtrace.h $(DESTDIR)$(libdir)/libdtrace.a $(DESTDIR)$(libdir)/libdtrace.so \
		$(DESTDIR)$(libdir)/libdtrace.so.$(SOVERSION) $(DESTDIR)$(libdir)/libdtrace.so.$(VERSION) \
		$(DESTDIR)$(libdir)/pkgconfig/libdtrace.pc $(patsubst docs/%,$(DESTDIR)$(mandir)/man8/%,$(wildcard docs/*.8))
	rm -rf $(DESTDIR)$(libdir)/dtrace $(DESTDIR)$(includedir)/dtrace

help:
	@echo 'make              build/dtrace, build/libdtrace.so, build/libdtrace.a'
	@echo 'make deps         install what building needs (Debian 12 or later)'
	@echo 'make demo         trace a small workload for a few seconds, as root'
	@echo 'make check        all tests this machine can run; T=path for one, SAN=1 with sanitizers'
	@echo 'make check-vm     the tests that trace, on Linux 6.1 and 6.12 in QEMU; K=6.1, T=path'
	@echo 'make kernels-doc  docs/KERNELS.md anew, as root, with QEMU'
	@echo 'make torture      random D programs, as root; SECONDS=600, SEED=1'
	@echo 'make update T=path   accept what a test prints now'
	@echo 'make bench        speed, beside bpftrace; BENCHFLAGS=-m for markdown'
	@echo 'make static       build/dtrace-static, one file without shared libraries'
	@echo 'make install      [prefix=/usr/local] [DESTDIR=]; make uninstall'

clean:
	rm -rf build build-san

-include $(shell find $(B) -path '$(B)/torture' -prune -o -path '$(B)/vm' -prune -o -name '*.d' -print 2>/dev/null)
.PHONY: all static tests check check-vm kernels-doc torture update deps demo bench bench-programs install uninstall help clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:
