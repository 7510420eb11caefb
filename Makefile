# SPDX-License-Identifier: Apache-2.0
# A comment that begins with ## after a target is its line of `make help`.
CC ?= cc
CLANG ?= clang
# for programs that are traced: they have gcc's attributes and options, which decide what their code looks like
GCC ?= gcc
B := build$(if $(SAN),-$(if $(filter thread,$(SAN)),tsan,san))$(if $(FUZZER),-fuzz)
# The one place of the version; tests/lint/version.sh compares what must repeat it.
VERSION := $(shell cat VERSION)
SOVERSION := 0

prefix ?= /usr/local
exec_prefix ?= $(prefix)
sbindir ?= $(exec_prefix)/sbin
libdir ?= $(exec_prefix)/lib
includedir ?= $(prefix)/include
datadir ?= $(prefix)/share
sysconfdir ?= /etc
mandir ?= $(datadir)/man
unitdir ?= $(prefix)/lib/systemd/system
bashdir ?= $(datadir)/bash-completion/completions
zshdir ?= $(datadir)/zsh/site-functions
fishdir ?= $(datadir)/fish/vendor_completions.d

WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
WARN += -Wno-unused-parameter -Wno-sign-compare -Wvla -Wwrite-strings $(if $(WERROR),-Werror)
CFLAGS ?= -O2 -g
SANFLAGS := $(if $(filter thread,$(SAN)),-fsanitize=thread,$(if $(SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer))
# make fuzz builds with FUZZER=1: libFuzzer sees which branches an input takes.  Warnings are those of the other compiler.
ifdef FUZZER
CC := $(CLANG)
WARN :=
SANFLAGS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
# The folder of the sources is not part of what is built: two builds of one commit are identical.
# From gcc 15 on the bytes of a union besides the member that is initialised keep what was there, unless it is told: the kernel
# refuses a union bpf_attr with such bytes.
ZEROS := $(shell echo | $(CC) -fzero-init-padding-bits=unions -E - >/dev/null 2>&1 && echo -fzero-init-padding-bits=unions)
RELOCATE := -ffile-prefix-map=$(CURDIR)=.
ALL_CFLAGS = -std=gnu11 $(WARN) $(ZEROS) $(RELOCATE) -fvisibility=hidden -fPIC -Iinclude -Isrc -I$(B)/src \
	-DDTRACE_RELEASE='"$(VERSION)"' $(if $(SAN),-DINVARIANTS) $(CPPFLAGS) $(CFLAGS) $(SANFLAGS)
LINK = $(CC) $(CFLAGS) $(SANFLAGS) $(LDFLAGS)
# the machine: its folder of src/arch
ARCH := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
# the folder of the libraries of this architecture on Debian, which clang 16 cannot tell; empty elsewhere
MULTIARCH := $(or $(shell $(CC) -print-multiarch 2>/dev/null),$(notdir $(wildcard /usr/include/$(ARCH)-linux-gnu)))
BPF_CFLAGS = -target bpf -mcpu=v3 -O2 -g -Wall -D__TARGET_ARCH_$(or $(BPF_ARCH_$(ARCH)),$(ARCH)) $(RELOCATE) -Isrc -I$(B)/src -I/usr/include/$(MULTIARCH)
# libyajl's archive, where there is one, is small and costs no time at start; Debian's is fit for libdtrace.so.
YAJL := $(or $(wildcard $(shell $(CC) -print-file-name=libyajl_s.a)),-lyajl)
LIBS := -lbpf -lelf -ldw -lz -llzma -liberty $(YAJL)
# Debian has bpftool and ldconfig there
export PATH := $(PATH):/usr/sbin:/sbin
# make V=1 shows the commands
run = $(if $(V),,@printf '  %-8s%s\n' $(1) $(@:$(B)/%=%) && )
# one job for each processor, unless -j is given
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

# libbpf's words for the machines
BPF_ARCH_x86_64 := x86
BPF_ARCH_aarch64 := arm64
SRCS := $(filter-out %.bpf.c,$(sort $(filter-out src/arch/% src/managed/java_agent/%,$(wildcard src/*/*.c src/*/*/*.c)) $(wildcard src/arch/*.c src/arch/$(ARCH)/*.c)))
OBJS := $(SRCS:%.c=$(B)/%.o)
CMD := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard cmd/dtrace/*.c)))
SO := $(B)/libdtrace.so

all: $(B)/dtrace $(SO) $(B)/libdtrace.a $(B)/libdtrace.3 $(B)/dtrace-tools.8 ## build/dtrace, build/libdtrace.so, build/libdtrace.a; SAN=1 with sanitizers, in build-san, SAN=thread in build-tsan

# Names and numbers from the headers of the machine: before all else, as most files depend on them.
FLAG_ROWS := $(B)/src/abi/flag_rows.def
HOSTCC ?= $(CC)
$(FLAG_ROWS): $(wildcard src/abi/flag*.awk) src/abi/flag_rows src/abi/flags.sets
	@mkdir -p $(@D)
	$(call run,GEN)CC='$(CC) $(CPPFLAGS)' HOSTCC='$(HOSTCC)' src/abi/flag_rows src/abi/flags.sets > $@.new && mv $@.new $@

SYSCALL_NUMBERS := $(B)/src/abi/syscall_numbers.def
$(SYSCALL_NUMBERS): src/abi/syscall_numbers src/abi/syscalls.def
	@mkdir -p $(@D)
	$(call run,GEN)CC='$(CC) $(CPPFLAGS)' $^ > $@.new && mv $@.new $@
MADE := $(FLAG_ROWS) $(SYSCALL_NUMBERS)

$(B)/%.o: %.c | $(MADE)
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The run-time library: src/rt/rt.bpf.c includes the other files, rt_image.c embeds the object.
$(B)/%.bpf.o: %.bpf.c | $(MADE)
	@mkdir -p $(@D)
	$(call run,BPF)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c -o $@ $<

# The viewer of pictures: viz/embed joins the modules and the style sheet; page.c embeds them, with
# their hashes for the content security policy.
VIZ := $(sort $(wildcard viz/*.js))
$(B)/viz/viewer.js: viz/embed $(VIZ)
	@mkdir -p $(@D)
	$(call run,VIZ)viz/embed viz/main.js > $@
$(B)/viz/viewer.css: src/pictures/palette.def viz/viewer.css viz/palette
	@mkdir -p $(@D)
	$(call run,VIZ){ viz/palette $<; cat viz/viewer.css; } > $@
viz-demo: $(B)/viz/demo.html ## write build/viz/demo.html, a page that shows each component of pictures alone
$(B)/viz/demo.html: viz/embed $(VIZ) $(B)/viz/viewer.css
	$(call run,VIZ){ echo '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Components</title><style>'; \
		cat $(B)/viz/viewer.css; echo '</style></head><body><script>'; viz/embed viz/demo.js; echo '</script></body></html>'; } > $@
$(B)/viz/%.sha256: $(B)/viz/%
	@sha256sum $< | head -c 64 | tr a-f A-F | basenc --base16 -di | base64 | tr -d '\n' > $@
$(B)/src/pictures/page.o: $(foreach f,viewer.js viewer.css,$(B)/viz/$(f) $(B)/viz/$(f).sha256)
$(B)/src/pictures/page.o: ALL_CFLAGS += -DVIZ='"$(B)/viz"'

$(B)/src/load/rt_image.o: $(B)/src/rt/rt.bpf.o $(B)/src/rt/alone.bpf.o
$(B)/src/load/rt_image.o: ALL_CFLAGS += -DRT_IMAGE='"$(B)/src/rt"'

# The agent for Java VMs, which java_image.c embeds. Without Java's headers the file is empty, and dtrace says so.
JAVA_INCLUDE ?= $(patsubst %/jvmti.h,%,$(firstword $(wildcard $(addsuffix /include/jvmti.h,$(JAVA_HOME) /usr/lib/jvm/default-java /usr/lib/jvm/*))))
AGENT := $(wildcard src/managed/java_agent/*.[chS])
# Java may be installed after the first build, by make check: the agent is built again then.
$(B)/java_include: FORCE
	@mkdir -p $(@D)
	@echo '$(JAVA_INCLUDE)' | cmp -s - $@ || echo '$(JAVA_INCLUDE)' > $@
$(B)/src/managed/java_agent.so: $(AGENT) $(B)/java_include
	@mkdir -p $(@D)
	$(call run,AGENT)$(if $(JAVA_INCLUDE),$(CC) -std=gnu11 $(WARN) $(RELOCATE) -O2 -fPIC -fvisibility=hidden -shared -isystem $(JAVA_INCLUDE) -isystem $(JAVA_INCLUDE)/linux -o $@ $(filter %.c %.S,$^),: > $@)
$(B)/src/managed/java_image.o: $(B)/src/managed/java_agent.so
$(B)/src/managed/java_image.o: ALL_CFLAGS += -DJAVA_IMAGE='"$(B)/src/managed/java_agent.so"'

$(B)/src/compile/libdir.o $(B)/tests/unit/test_libdir.o: ALL_CFLAGS += -DDTRACE_LIBDIR='"$(libdir)/dtrace"' $(if $(MULTIARCH),-DDTRACE_MULTIARCH='"$(MULTIARCH)"')

$(B)/src/session/session.o: VERSION
$(B)/cmd/dtrace/conf.o: ALL_CFLAGS += -DDTRACE_CONF='"$(sysconfdir)/dtrace.conf"'

# The list of objects is rewritten if a source file is added or removed.
$(B)/objs: FORCE
	@mkdir -p $(@D)
	@echo '$(OBJS) $(CMD)' | cmp -s - $@ || echo '$(OBJS) $(CMD)' > $@

# internal.a has every symbol, for measurements; libdtrace.a is one object that exports only dtrace_*.
$(B)/internal.a: $(OBJS) $(B)/objs
	@rm -f $@
	$(call run,AR)$(AR) rcsD $@ $(OBJS)

# checked.a, for tests: the files with an INVARIANT() (src/base/invariant.h) are compiled again, so that it is evaluated.
CHECKED := $(patsubst %.c,$(B)/checked/%.o,$(shell grep -lw INVARIANT $(SRCS)))
$(B)/checked/%.o: %.c | $(MADE)
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(ALL_CFLAGS) -DINVARIANTS -MMD -MP -c -o $@ $<

$(B)/checked.a: $(OBJS) $(CHECKED) $(B)/objs
	@rm -f $@
	$(call run,AR)$(AR) rcsD --thin $@ $(CHECKED) $(filter-out $(CHECKED:$(B)/checked/%=$(B)/%),$(OBJS))

$(B)/libdtrace.a: $(OBJS) $(B)/objs
	@$(CC) -r -nostdlib -o $(B)/libdtrace.o $(OBJS)
	@objcopy --localize-hidden $(B)/libdtrace.o
	@rm -f $@
	$(call run,AR)$(AR) rcsD $@ $(B)/libdtrace.o

$(SO): $(OBJS) $(B)/objs src/libdtrace.map
	$(call run,LINK)$(LINK) -shared -Wl,-soname,libdtrace.so.$(SOVERSION) -Wl,--version-script=src/libdtrace.map \
		-o $@.$(VERSION) $(OBJS) $(LIBS)
	@ln -sf libdtrace.so.$(VERSION) $@.$(SOVERSION)
	@ln -sf libdtrace.so.$(SOVERSION) $@

$(B)/dtrace: $(CMD) $(B)/libdtrace.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)
	@ln -sfn $(abspath dlib) $(B)/dlib
	@ln -sfn $(abspath tools) $(B)/tools

# Simulated hosts of a fleet: dtrace's own consumer and sender with other names, clocks and aggregations.
HOSTS_WRAP := clock_gettime time gethostname fork spool_release ship_put ship_free
$(B)/tests/stress/hosts: $(B)/tests/stress/hosts.o $(B)/tests/stress/hosts_answer.o $(B)/internal.a
	$(call run,LINK)$(LINK) $(HOSTS_WRAP:%=-Wl,--wrap=%) -o $@ $^ $(LIBS)

# For make check-hostile: requests for memory can fail (tests/stress/scarce.c), and what nobody can free is found at exit.
SCARCE := $(shell awk -F', ' '/^WRAP/ { print $$2 }' tests/stress/scarce.c) asprintf
$(B)/tests/stress/arena.o: src/base/arena.c
	@mkdir -p $(@D)
	$(call run,CC)$(CC) $(ALL_CFLAGS) -DINVARIANTS -DCHUNK_LEAST=64 -DCHUNK_MOST=512 -MMD -MP -c -o $@ $<
$(B)/dtrace-scarce: $(CMD) $(B)/tests/stress/scarce.o $(B)/tests/stress/arena.o $(B)/checked.a
	$(call run,LINK)$(LINK) $(if $(SAN),,-fsanitize=leak) $(SCARCE:%=-Wl,--wrap=%) -o $@ $^ $(filter -l%,$(LIBS)) -lyajl

# On Debian 12 and unstable: libelf.a of Debian 13 lacks eu_search_tree_init, and that of unstable has a crc32() besides zlib's, which
# comes first here. The D libraries are part of the file.
static: ## build/dtrace-static, one file that needs no shared libraries
	@.ci/deps build static
	@$(MAKE) --no-print-directory $(JOBS) $(B)/dtrace-static
$(B)/dtrace-static: $(CMD) $(B)/cmd/static/dlopen.o $(B)/cmd/static/dlib.o $(B)/libdtrace.a
	$(call run,LINK)$(CC) $(CFLAGS) -s -static -Wl,--wrap=dlopen $(LDFLAGS) -o $@ $^ -Wl,-u,crc32 -lz $(shell pkg-config --static --libs libbpf libdw libelf zlib liblzma) -liberty $(YAJL)
$(B)/cmd/static/dlib.c: cmd/static/dlib $(wildcard dlib/*.d)
	@mkdir -p $(@D)
	$(call run,GEN)$^ > $@
$(B)/cmd/static/dlib.o: $(B)/cmd/static/dlib.c
	$(call run,CC)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# ---- tests

UNIT := $(patsubst %.c,$(B)/%,$(filter-out %.bpf.c,$(wildcard tests/unit/test_*.c)))
UNITBPF := $(patsubst %.bpf.c,$(B)/%.bpf.o,$(wildcard tests/unit/*.bpf.c))
TRIGGERS := $(patsubst %.c,$(B)/%,$(shell find tests/live -name '*.c'))

FUZZMAINS := $(wildcard tests/fuzz/fuzz_*.c) tests/fuzz/torture.c
FUZZ := $(FUZZMAINS:%.c=$(B)/%)

RECORDS := $(B)/tests/golden/output/records
RUNNER := $(B)/tests/runner/guard $(B)/tests/runner/has

tests: $(B)/viz/demo.html $(B)/dtrace-scarce $(B)/tests/stress/hosts $(RUNNER) $(UNIT) $(UNITBPF) $(TRIGGERS) $(FUZZ) $(RECORDS) bench-programs ## build the programs of the tests

# tests/run starts each test under guard, and asks has for kernel features.
$(B)/tests/runner/%: tests/runner/%.c
	@mkdir -p $(@D)
	$(call run,CC)$(CC) -std=gnu11 -O2 $(WARN) -o $@ $< $(if $(filter %/has,$@),-lbpf)

# libFuzzer has a driver of its own
$(B)/tests/fuzz.a: $(patsubst %.c,$(B)/%.o,$(filter-out $(FUZZMAINS) $(if $(FUZZER),%/driver.c),$(wildcard tests/fuzz/*.c)))
	@rm -f $@ && $(AR) rcs $@ $^
$(B)/tests/fuzz/fuzz_%: LDFLAGS += $(if $(FUZZER),-fsanitize=fuzzer)
$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz.a $(B)/checked.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/checked.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)

# tests/unit/fail_alloc.h decides when their allocations fail
$(B)/tests/unit/test_arena $(B)/tests/unit/test_heapvec $(B)/tests/unit/test_intmap: override LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

# The result is in build-fuzz, with a corpus that grows from one run to the next.
fuzz: ## run the fuzzers with clang's libFuzzer; T=parse for one stage, S=60 seconds each
	@.ci/deps build fuzz
	@$(MAKE) --no-print-directory $(JOBS) FUZZER=1 fuzzers
	@BUILD=build-fuzz tests/fuzz/run $(or $(S),60) $(T)

fuzzers: $(filter-out %/torture,$(FUZZ)) ## build the fuzzers alone

# The driver of the .rec files of tests/golden; its symbol table replaces src/sym.
$(RECORDS): $(patsubst %.c,$(B)/%.o,$(wildcard tests/golden/output/driver/*.c)) $(B)/checked.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)

# The flags of a trigger are in its source, after "@cc".
$(B)/tests/live/%: tests/live/%.c $(wildcard tests/live/triggers/*.h)
	@mkdir -p $(@D)
	$(call run,GCC)$(GCC) -std=gnu11 -g -O1 -fno-omit-frame-pointer -Wall -o $@ $< $(shell sed -n '1,9s/.*@cc \([^*]*\).*/\1/p' $<)

check: ## build and run the tests this machine can run, without the slow ones; T=path for those at or below it
	@.ci/deps build check guest package static
	@$(MAKE) --no-print-directory $(JOBS) WERROR=1 all tests
	@BUILD=$(B) tests/run $(T)

check-fast: ## the tests that take little time, before a commit: unit, golden, lint and D programs with their output
	@.ci/deps build check
	@$(MAKE) --no-print-directory $(JOBS) WERROR=1 all tests
	@BUILD=$(B) tests/run -f $(T)

check-slow: ## the tests that make check leaves out: packages, hostile processes, fuzzing, fleets; T=path, LIMIT=seconds
	@.ci/deps build check guest package static
	@$(MAKE) --no-print-directory $(JOBS) WERROR=1 all tests
	@BUILD=$(B) tests/run -s $(if $(LIMIT),-d $(LIMIT)) $(T)

# The kernels are downloaded to build/vm.
check-vm: ## the tests that trace, on Linux 5.10, 6.1, 6.12 and 7.2 in QEMU; K=6.1 for one of them, T=path
	@.ci/deps build check guest
	@$(MAKE) --no-print-directory $(JOBS) WERROR=1 all tests
	@BUILD=$(B) KERNELS="$(or $(K),$(KERNELS),5.10 6.1 6.12 7.2)" tests/vm/check $(T)

check-roots: ## README's commands in roots of other Debian releases, from a clean clone; R=trixie for one, T=path, PART=fast; as root
	@.ci/deps roots
	@BUILD=$(B) T="$(T)" PART="$(PART)" tests/roots/check $(R)

# It uses the results of the last make check-roots.
distributions-doc: ## write docs/DISTRIBUTIONS.md: how the tests went in roots of other releases
	tests/roots/page $(wildcard $(or $(ROOTS),$(B)/roots)/*.json)

# It uses the results of the last make check and make check-vm.
kernels-doc: all ## write docs/KERNELS.md: features of this kernel and of those in QEMU; as root
	BUILD=$(B) tests/kernels/collect
	tests/kernels/page

torture: all tests ## load random D programs, as root; SECONDS=600, SEED=1
	@$(B)/tests/fuzz/torture -d $(B)/dtrace -t $(B)/tests/live/triggers/calls -S $(or $(SECONDS),60) \
		-s $(or $(SEED),$(shell date +%s)000) -z 8 -j $(shell nproc) -o $(B)/torture

exact: all ## count every firing of 10,000 short processes, as root; RUNS=20, PROCESSES=10000, CASES='wildcard follow'
	@BUILD=$(B) RUNS=$(or $(RUNS),20) PROCESSES=$(or $(PROCESSES),10000) tests/stress/exact $(CASES)

kill: all ## end tracers at random moments and look what they leave, as root; ROUNDS=500, SEED=1, CASES='pid usdt'
	@BUILD=$(B) ROUNDS=$(or $(ROUNDS),500) SEED=$(or $(SEED),1) tests/stress/kill $(CASES)

load: all ## trace under load: received + dropped = fired?  As root; SEED=1, CASES='build nested probes tracers'
	@BUILD=$(B) SEED=$(or $(SEED),1) tests/stress/load $(CASES)

fleet-scale: all $(B)/tests/stress/hosts ## simulate a fleet: is each answer what the hosts sent?  As root; HOSTS=1000, SECONDS=600, KEYS=100, SEED=1
	@BUILD=$(B) HOSTS=$(or $(HOSTS),1000) SECONDS_=$(or $(SECONDS),600) KEYS=$(or $(KEYS),100) SEED=$(or $(SEED),1) tests/stress/fleet

check-hostile: all tests ## run dtrace where allocations and system calls fail, as root; MOST=200 a kind, SEED=1, KINDS='alloc'
	@printf '%s\n' $(foreach kind,$(or $(KINDS),syscall alloc signal limit partial),$(foreach part,1 2 3 4,$(kind):$(part)/4)) | \
		BUILD=$(B) MOST=$(or $(MOST),200) SEED=$(or $(SEED),1) xargs -n 1 -P $$((2 * $$(nproc))) tests/stress/hostile # many wait

check-unchanged: all ## do real programs' own tests end as if untraced?  As root; SUITES='zlib python:return', K=6.12 in QEMU
	@.ci/deps build guest unchanged
	@BUILD=$(B) K="$(K)" tests/unchanged/all $(SUITES)

check-races: all tests ## run dtrace's threads under ThreadSanitizer, as root
	@$(MAKE) --no-print-directory $(JOBS) SAN=thread build-tsan/dtrace
	@BUILD=build-tsan tests/stress/races

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

demo-fleet: ## two ClickHouse servers and five hosts, one with a slow disk, on a page, until ^C, as root
	@.ci/deps build fleet
	@$(MAKE) --no-print-directory $(JOBS) all
	@examples/fleet/demo $(B)/dtrace

bench: ## measure the cost of tracing, compared with bpftrace, as root; BENCHFLAGS='-m uprobes'; plots in build/bench/index.html
	@.ci/deps build guest bench
	@$(MAKE) --no-print-directory $(JOBS) all bench-programs $(RUNNER)
	@BUILD=$(B) bench/run -o $(B)/bench $(BENCHFLAGS)

bench-diff: ## compare the cost of tracing with that of another commit, as root; BASE=rev, BENCHFLAGS='cost load'
	@.ci/deps build bench
	@$(MAKE) --no-print-directory $(JOBS) all bench-programs $(RUNNER)
	@BUILD=$(B) bench/diff "$(BASE)" $(BENCHFLAGS)

bench-programs: $(B)/tests/stress/hosts $(addprefix $(B)/bench/,getppid many burst clock empty newer empty.bpf.o newer.bpf.o uprobe.bpf.o instructions.bpf.o output drain tables events session complete) ## build the programs that make bench runs

# These measure parts of the library alone.
$(B)/bench/output $(B)/bench/drain $(B)/bench/tables $(B)/bench/complete: $(B)/bench/%: $(B)/bench/%.o $(B)/internal.a
	$(call run,LINK)$(LINK) -o $@ $^ $(LIBS)

$(B)/bench/events: bench/uprobe.h
$(addprefix $(B)/bench/,clock events getppid many): bench/clock.h
$(B)/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(call run,GCC)$(GCC) -std=gnu11 -O2 $(WARN) $(if $(filter %/empty %/newer,$@),,-static) -o $@ $< $(if $(filter %/empty %/newer,$@),-lbpf)

# What make install copies as it is: SOURCE:FOLDER:MODE:NAME. The mode is 644 and the name that of the source by default.
FILES = $(B)/dtrace:$(sbindir):755 $(SO).$(VERSION):$(libdir) $(B)/libdtrace.a:$(libdir) include/dtrace.h:$(includedir)
FILES += $(patsubst %,%:$(includedir)/dtrace,$(wildcard include/dtrace/*.h)) $(patsubst %,%:$(libdir)/dtrace,$(wildcard dlib/*.d))
FILES += $(patsubst %,%:$(bashdir)::dtrace,$(wildcard completions/*.bash))
FILES += $(patsubst %,%:$(zshdir)::_dtrace,$(wildcard completions/_dtrace completions/*.zsh))
FILES += $(patsubst %,%:$(fishdir)::dtrace.fish,$(wildcard completions/*.fish))
each_file = @set -e; for each in $(FILES); do IFS=:; set -- $$each; unset IFS; to=$(DESTDIR)$$2/$${4:-$${1\#\#*/}}; $(1); done
MANUAL := $(wildcard docs/*.[578]) $(B)/libdtrace.3 $(B)/dtrace-tools.8

$(B)/libdtrace.3: docs/libdtrace.awk include/dtrace/dtrace.h include/dtrace/data.h include/dtrace/script.h docs/libdtrace.3.in
	@mkdir -p $(@D)
	$(call run,GEN)LC_ALL=C awk -f $^ >$@.tmp && mv $@.tmp $@

$(B)/dtrace-tools.8: docs/tools.awk docs/tools.md $(sort $(wildcard tools/*.d))
	@mkdir -p $(@D)
	$(call run,GEN)LC_ALL=C awk -f $^ >$@.tmp && mv $@.tmp $@

# What it writes: the version and the folders take the place of @NAMES@, and tools begin with the command's path.
WRITE = $(libdir)/pkgconfig/libdtrace.pc $(unitdir)/dtrace@.service $(unitdir)/dtrace-agent.service $(foreach page,$(MANUAL),$(mandir)/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))
WRITE += $(addprefix $(datadir)/dtrace/,$(wildcard tools/*.d))
WRITTEN = sed -e 's|@prefix@|$(prefix)|' -e 's|@sbindir@|$(sbindir)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
	-e 's|@version@|$(VERSION)|' -e 's|@yajl@|$(if $(filter -l%,$(YAJL)),-lyajl,-lyajl_s)|' -e 's|^\.Os$$|.Os DTrace for Linux $(VERSION)|' -e 's|/usr/local/lib/dtrace|$(libdir)/dtrace|' -e 's|/etc/dtrace\.conf|$(sysconfdir)/dtrace.conf|' \
	-e '1s|^\#!/usr/sbin/|\#!$(sbindir)/|'

install: all ## install the command, the library, D libraries, tools and the manual pages; prefix=/usr/local, libdir, DESTDIR
	$(call each_file,install -D -m $${3:-644} $$1 $$to)
	@set -e; for file in $(WRITE); do name=$${file##*/}; to=$(DESTDIR)$$file; install -D -m 644 /dev/null $$to; \
		for from in src/$$name.in packaging/$$name.in docs/$$name $(B)/$$name tools/$$name; do \
		[ ! -f $$from ] || $(WRITTEN) $$from >$$to; done; case $$to in */tools/*) chmod 755 $$to; esac; done
	@ln -sf libdtrace.so.$(VERSION) $(DESTDIR)$(libdir)/libdtrace.so.$(SOVERSION)
	@ln -sf libdtrace.so.$(SOVERSION) $(DESTDIR)$(libdir)/libdtrace.so
	$(if $(DESTDIR),,-ldconfig)

uninstall: ## remove what make install installed, with the same variables
	$(call each_file,rm -f $$to)
	@rm -f $(addprefix $(DESTDIR),$(WRITE) $(libdir)/libdtrace.so.$(SOVERSION) $(libdir)/libdtrace.so)
	@rm -rf $(addprefix $(DESTDIR),$(libdir)/dtrace $(includedir)/dtrace $(datadir)/dtrace)

# ---- packages; they are made from the last commit

DIST := $(B)/dtrace-$(VERSION).tar.gz
dist: ## build/dtrace-VERSION.tar.gz, the sources of the last commit
	@mkdir -p $(B)
	@git archive --format=tar --prefix=dtrace-$(VERSION)/ HEAD | gzip -9n > $(DIST)
	@echo $(DIST)

deb: dist ## Debian packages in build/deb, checked with lintian
	@.ci/deps build package
	@packaging/deb $(DIST) $(B)/deb

rpm: dist ## RPM packages in build/rpm
	@.ci/deps build package
	@packaging/rpm $(DIST) $(B)/rpm

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

clean: ## remove build/, build-san/, build-tsan/ and build-fuzz/
	rm -rf build build-san build-tsan build-fuzz

-include $(shell find $(addprefix $(B)/,src checked cmd tests bench) -name '*.d' 2>/dev/null)
.PHONY: all static dist deb rpm viz-demo tests fuzz fuzzers check check-fast check-slow check-vm check-roots kernels-doc distributions-doc torture exact kill load fleet-scale check-hostile check-unchanged check-races coverage update deps demo demo-fleet bench bench-diff bench-programs install uninstall help clean \
	compile_commands.json FORCE
FORCE:
.SECONDARY:
.DELETE_ON_ERROR:
