# SPDX-License-Identifier: Apache-2.0
# make [SAN=1]; see README.md
CC ?= cc
CLANG ?= clang
B := build$(if $(SAN),-san)
VERSION := 0.1
prefix ?= /usr/local

WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
WARN += -Wno-unused-parameter -Wno-sign-compare -Wvla -Wwrite-strings
CFLAGS ?= -O2 -g
CFLAGS += $(if $(WERROR),-Werror)
SANFLAGS := $(if $(SAN),-fsanitize=address$(comma)undefined -fno-omit-frame-pointer)
comma := ,
SANFLAGS := $(if $(SAN),-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
ALL_CFLAGS := -std=gnu11 $(WARN) -fvisibility=hidden -fPIC -Iinclude -Isrc -I$(B)/gen \
	-DDTRACE_VERSION='"$(VERSION)"' $(CFLAGS) $(SANFLAGS)
LIBS := -lbpf -lelf -ldw -lz

SRCS := $(sort $(wildcard src/*/*.c))
SRCS := $(filter-out %.bpf.c,$(SRCS))
OBJS := $(SRCS:%.c=$(B)/%.o)
RT := $(sort $(wildcard src/rt/*.bpf.c))
RTOBJS := $(RT:%.c=$(B)/%.o)

all: $(B)/dtrace $(B)/libdtrace.so

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# the run-time library, embedded as bytes
$(B)/%.bpf.o: %.bpf.c $(wildcard src/rt/*.h) src/abi/kernel.h
	@mkdir -p $(@D)
	$(CLANG) -target bpf -mcpu=v3 -O2 -g -Wall -Isrc -I/usr/include/$(shell $(CC) -print-multiarch) -c -o $@ $<

$(B)/rt.o: $(RTOBJS)
	bpftool gen object $@ $^

$(B)/gen/rt_image.h: $(B)/rt.o
	@mkdir -p $(@D)
	xxd -i < $< > $@

$(B)/src/load/rt_image.o: $(B)/gen/rt_image.h

$(B)/libdtrace.a: $(OBJS)
	rm -f $@ && $(AR) rcs $@ $^

$(B)/libdtrace.so: $(OBJS)
	$(CC) $(SANFLAGS) -shared -Wl,-soname,libdtrace.so.0 -o $@ $^ $(LIBS)

$(B)/dtrace: $(patsubst %.c,$(B)/%.o,$(wildcard cmd/dtrace/*.c)) $(B)/libdtrace.a
	$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

clean:
	rm -rf build build-san

-include $(shell find $(B) -name '*.d' 2>/dev/null)
.PHONY: all clean
