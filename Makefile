# SPDX-License-Identifier: GPL-2.0-or-later
#
#   make              build rspd, rsp-worker, rspctl, rsp-export, rsp-spans and rsp-fleet, in build
#   make demo         install missing packages, build, record a small real workload, explain it
#   make check        install missing packages, build, run every test that can run on this machine
#   make check-style  check the format and the structure of the C files
#   make check-SUITE  run one suite: unit golden exports fuzz web e2e recorder bpf clients attacks
#                     vm systemd
#   make check-vm-all   boot every kernel of tests/vm/kernels; writes docs/kernels.md
#   make check-containers   test real container runtimes, and rspd in a container
#   make check-merge   merge snapshots of two emulated machines with real programs
#   make check-real   check that reports of intentionally slow servers name the cause
#   make fuzz         run all targets of tests/fuzz, each with FUZZ_RUNS=N inputs; FUZZ_FAST=1:
#                     without sanitizers; make fuzz-NAME: one target
#   make bench        measure the cost of recording, in ten minutes; bench-all: run all benches
#   make install      install to $(DESTDIR)$(PREFIX)
#   make deb | rpm    build packages, in build/deb and build/rpm
#
# Missing packages are installed with apt, which needs root. DEPS=no skips this step. V=1 shows the
# commands. ASAN=1 builds with the address and undefined-behaviour sanitizers, into build-asan.
# VMLINUX_H=FILE uses this header instead of the types of the running kernel.

VERSION := 0.1.0

O      := $(if $(ASAN),build-asan,build)
Q      := $(if $(V),,@)
say     = $(if $(V),,@printf '  %-8s %s\n' '$(1)' '$(2)')

comma  := ,

# make predefines CC as cc, so ?= would keep cc.
ifeq ($(origin CC),default)
CC       := gcc
endif
CLANG    ?= clang
BPFTOOL  ?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)
PROTOC_C ?= protoc-c
PREFIX   ?= /usr/local
PKG_CONFIG ?= pkg-config

# Some compilers warn about initializers that omit fields, whose value is then 0. RSP uses such
# initializers.
WARN     := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wno-unused-parameter \
	-Wno-missing-field-initializers
CFLAGS   ?= -O2 -g
CPPFLAGS += -D_GNU_SOURCE -DRSP_VERSION='"$(VERSION)"' -Iinclude -I. -I$(O)/gen -I$(O)/bpf
ALLCFLAGS = -std=gnu11 $(WARN) $(if $(WERROR),-Werror) $(CFLAGS) $(SANITIZE)
ifdef ASAN
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif

# The core library (lib/) needs neither libbpf nor libsystemd: the unit tests are linked without
# them.
RECORD_LIBS := -lzstd -ljson-c
LIB_LIBS    := -lm -ldw -lelf -llzma -liberty -lz -lseccomp -lprotobuf-c $(RECORD_LIBS)
DAEMON_LIBS  = $(shell $(PKG_CONFIG) --libs libbpf libsystemd libcap)
CLI_LIBS     = $(shell $(PKG_CONFIG) --libs ncursesw libmicrohttpd)
# Only the programs that use lib/http need these libraries.
HTTP_LIBS    = $(shell $(PKG_CONFIG) --libs libcurl nettle)
EXPORT_LIBS  = -lz -lprotobuf-c $(RECORD_LIBS) $(HTTP_LIBS) $(shell $(PKG_CONFIG) --libs libsystemd)
UNIT_LIBS   := -lcmocka

LIB_SRC    := $(sort $(wildcard lib/*/*.c lib/*/*/*.c))
# The recorder, which runs as root, contains only these files of lib/. It has no code that explains
# recordings.
RECORD_SRC := $(sort $(wildcard $(foreach l,base config snapshot trace ksyms files unwind,lib/$(l)/*.c)))
DAEMON_SRC := $(sort $(wildcard daemon/*.c daemon/*/*.c))
WORKER_SRC := $(sort $(wildcard worker/*.c)) daemon/base/message.c
CLI_SRC    := $(sort $(wildcard cli/*.c)) daemon/base/message.c
EXPORT_SRC := $(sort $(wildcard export/*.c))
FLEET_SRC  := $(sort $(wildcard fleet/*.c)) cli/output.c cli/failure.c cli/progress.c cli/when.c
# The object files of these sources must be linked first: bpftool 7.1 misplaces a map if an extern
# declaration of the map precedes its definition.
BPF_FIRST  := bpf/core.bpf.c bpf/slo.bpf.c
BPF_SRC    := $(BPF_FIRST) $(sort $(filter-out $(BPF_FIRST),$(wildcard bpf/*.bpf.c)))
UNIT_SRC   := $(sort $(wildcard tests/unit/test_*.c))
PROG_SRC   := $(sort $(wildcard tests/programs/*.c))
TRUTH_SRC  := $(sort $(wildcard tests/truth/*.c))
BENCH_SRC  := $(sort $(wildcard bench/model/*.c))
BENCH_TOOL_SRC := $(sort $(wildcard bench/*.c bench/window/*.c))
STORY_SRC  := $(sort $(wildcard tests/story/*.c))
TOOL_SRC   := $(sort $(wildcard tests/tools/*.c))

# Message formats of other programs, which protoc-c converts to C files.
PROTO      := $(sort $(wildcard lib/export/proto/*.proto))
PROTO_GEN  := $(PROTO:%.proto=$(O)/gen/%.pb-c.c)

LIB_OBJ    := $(LIB_SRC:%.c=$(O)/%.o) $(patsubst %.S,$(O)/%.o,$(wildcard lib/*/*.S)) $(PROTO_GEN:%.c=%.o)
RECORD_OBJ := $(RECORD_SRC:%.c=$(O)/%.o)
DAEMON_OBJ := $(DAEMON_SRC:%.c=$(O)/%.o) $(patsubst %.S,$(O)/%.o,$(wildcard daemon/*/*.S))
SPANS_OBJ  := $(patsubst %.c,$(O)/%.o,$(wildcard export/spans/*.c))
WORKER_OBJ := $(WORKER_SRC:%.c=$(O)/%.o)
CLI_OBJ    := $(CLI_SRC:%.c=$(O)/%.o)
EXPORT_OBJ := $(EXPORT_SRC:%.c=$(O)/%.o)
FLEET_OBJ  := $(FLEET_SRC:%.c=$(O)/%.o) $(O)/fleet/schema.o
BPF_OBJ    := $(BPF_SRC:%.bpf.c=$(O)/%.bpf.o)
UNIT_BIN   := $(UNIT_SRC:%.c=$(O)/%)
PROG_BIN   := $(PROG_SRC:%.c=$(O)/%)
TRUTH_OBJ  := $(TRUTH_SRC:%.c=$(O)/%.o)
BENCH_OBJ  := $(BENCH_SRC:%.c=$(O)/%.o)
STORY_OBJ  := $(STORY_SRC:%.c=$(O)/%.o)
PRELOAD_SRC := $(sort $(wildcard tests/preload/*.c))
TOOL_BIN   := $(patsubst %/misbehave,%/rsp-worker,$(TOOL_SRC:%.c=$(O)/%))
CONFIG_OBJ := $(patsubst %,$(O)/daemon/config/%.o,config config-keys)
# The sinks of rsp-export (S3, OTLP), which tests use without rsp-export.
SINK_OBJ   := $(patsubst %,$(O)/export/%.o,s3-sink otlp-sink otlp-message otlp-metrics otlp-logs otlp-spans)
PRELOAD_SO := $(PRELOAD_SRC:%.c=$(O)/%.so)
BENCH_BIN  := $(BENCH_TOOL_SRC:%.c=$(O)/%)

.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules --no-print-directory

all: $(O)/rspd $(O)/rsp-worker $(O)/rspctl $(O)/rsp-export $(O)/rsp-spans $(O)/rsp-fleet
.PHONY: all

# --- programs ----------------------------------------------------------------------------------

$(O)/rspd: $(DAEMON_OBJ) $(O)/librecord.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(RECORD_LIBS) $(DAEMON_LIBS)

# rsp-worker reads untrusted files for rspd, so it uses neither libbpf nor libsystemd.
$(O)/rsp-worker: $(WORKER_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

# rsp-spans reads untrusted files for rsp-export, so it does not use the network.
$(O)/rsp-spans: $(SPANS_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(O)/rspctl: $(CLI_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) $(CLI_LIBS)

# rsp-export uses the network, so it uses as little of the library as possible, and nothing of
# lib/model.
$(O)/rsp-export: $(EXPORT_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(EXPORT_LIBS)

# rsp-fleet sends queries to ClickHouse for rspctl, which does not use the network itself.
$(O)/rsp-fleet: $(FLEET_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) $(HTTP_LIBS)

$(O)/fleet/schema.o: $(wildcard export/schema/*.sql) # gcc's -MMD omits files of .incbin

$(O)/librecord.a: $(RECORD_OBJ)
$(O)/librsp.a: $(LIB_OBJ)
$(O)/librecord.a $(O)/librsp.a:
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(O)/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALLCFLAGS) -MMD -MP -c -o $@ $<

$(O)/%.o: %.S
	$(call say,AS,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(ALLCFLAGS) -MMD -MP -c -o $@ $<

# protoc-c makes both files in one run. Files that include the header depend on the C file.
$(O)/gen/%.pb-c.c $(O)/gen/%.pb-c.h: %.proto
	$(call say,PROTO,$<)
	@mkdir -p $(@D)
	$(Q)$(PROTOC_C) --c_out=$(O)/gen $<

# The files that protoc-c makes cause warnings, so they are compiled without $(WARN).
$(PROTO_GEN:%.c=%.o): %.o: %.c
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) -std=gnu11 $(CFLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

$(filter $(O)/lib/export/%,$(LIB_OBJ)): $(PROTO_GEN)

# --- BPF programs: one object per subsystem, linked into one, embedded as a skeleton ------------

# BPF programs include the header by this name, whatever the name of the file VMLINUX_H is.
TYPES := $(O)/bpf/vmlinux.h
# Makes clang search the directory of this architecture's headers, such as asm/types.h: it does not
# search it when compiling for BPF.
BPF_INCLUDES := $(shell $(CLANG) -v -E -x c /dev/null -o /dev/null 2>&1 | \
	sed -n '/^\#include <...>/,/^End of search/s/^ \(\/.*\)/-idirafter \1/p')
BPF_CFLAGS := -g -O2 -target bpf -mcpu=v3 -D__bpf__ -D__TARGET_ARCH_x86 -Wall -Wextra \
	-Wno-missing-declarations \
	-Wno-gnu-variable-sized-type-not-at-end -Wno-unused-parameter -Iinclude -I. $(BPF_INCLUDES)

ifdef VMLINUX_H
$(TYPES): FORCE
	@mkdir -p $(@D)
	$(Q)cmp -s '$(VMLINUX_H)' $@ || cp '$(VMLINUX_H)' $@
else
$(TYPES):
	$(call say,BTF,$@)
	@mkdir -p $(@D)
	@test -r /sys/kernel/btf/vmlinux || { echo "make: this kernel has no BTF" \
		"(/sys/kernel/btf/vmlinux): give a vmlinux.h of another with VMLINUX_H=" >&2; exit 1; }
	$(Q)$(BPFTOOL) btf dump file /sys/kernel/btf/vmlinux format c > $@
endif
FORCE:
.PHONY: FORCE

$(O)/%.bpf.o: %.bpf.c $(TYPES)
	$(call say,BPF,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -I$(O)/bpf -MMD -MP -c -o $@ $<

$(O)/bpf/rsp.linked.o: $(BPF_OBJ)
	$(call say,BPFLD,$@)
	$(Q)$(BPFTOOL) gen object $@ $^

$(O)/bpf/rsp.skel.h: $(O)/bpf/rsp.linked.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name rsp_bpf > $@

$(DAEMON_OBJ): | $(O)/bpf/rsp.skel.h
$(O)/daemon/api/interface.o: include/rsp/io.rsp.Recorder.varlink # gcc's -MMD omits files of .incbin

# --- the viewer: one page made from the modules of web/, embedded in the library
# --------------------

WEB_SRC := $(sort $(wildcard web/*.html web/*.css web/*.js web/*/*.js))

$(O)/gen/viewer.html: web/fold $(WEB_SRC)
	$(call say,FOLD,$@)
	@mkdir -p $(@D)
	$(Q)web/fold $@

$(O)/lib/viewer/viewer-template.o: $(O)/gen/viewer.html # gcc's -MMD omits files of .incbin
$(O)/lib/flame/flame-script.o: lib/flame/flame.css lib/flame/flame.js
$(O)/lib/diff/diff-page-files.o: web/style.css lib/diff/diff-page.css lib/diff/diff-page.js

# --- tests -------------------------------------------------------------------------------------

$(O)/tests/unit/%: $(O)/tests/unit/%.o $(filter-out %/main.o,$(STORY_OBJ)) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
		$(LIB_LIBS) $(HTTP_LIBS) $(UNIT_LIBS)

# The unit tests of modules of the daemon, each with the other files of the daemon that it needs.
$(O)/tests/unit/test_governor_steps: $(O)/daemon/governor/governor-steps.o
$(O)/tests/unit/test_governor_duty: $(O)/daemon/governor/governor-duty.o
$(O)/tests/unit/test_pace: $(O)/daemon/capture/pace.o
$(O)/tests/unit/test_ring_drain: $(O)/daemon/capture/ring-drain.o
$(O)/tests/unit/test_misses: $(O)/daemon/capture/misses.o
$(O)/tests/unit/test_load_reason: $(O)/daemon/capture/load-reason.o
$(O)/tests/unit/test_counters: $(O)/daemon/machine/counters.o
$(O)/tests/unit/test_cpu_times: $(O)/daemon/capture/cpu-times.o
$(O)/tests/unit/test_marks: $(O)/daemon/machine/marks.o
$(O)/tests/unit/test_journal: $(O)/daemon/base/journal.o
$(O)/tests/unit/test_broker: $(O)/daemon/snapshots/broker.o
$(O)/tests/unit/test_symcopies: $(O)/daemon/capture/symcopies.o
$(O)/tests/unit/test_process_places: $(O)/daemon/base/places.o
$(O)/tests/unit/test_config $(O)/tests/unit/test_config_values: $(CONFIG_OBJ)
$(O)/tests/unit/test_cgroups: $(O)/daemon/base/cgroups.o
$(O)/tests/unit/test_slo_window: $(O)/daemon/slo/slo-window.o
$(O)/tests/unit/test_slo_psi: $(O)/daemon/slo/slo-psi.o
$(O)/tests/unit/test_slo_rule: $(O)/daemon/slo/slo-rule.o
$(O)/tests/unit/test_share: $(O)/daemon/base/share.o
$(O)/tests/unit/test_tap: $(O)/daemon/tap.o
$(O)/tests/unit/test_serve_route: $(O)/cli/serve-route.o
$(O)/tests/unit/test_command_file: $(O)/cli/command-file.o
$(O)/tests/unit/test_forwarded: $(O)/cli/forwarded.o $(O)/cli/failure.o $(O)/cli/progress.o
$(O)/tests/unit/test_access: $(O)/daemon/api/access.o
$(O)/tests/unit/test_choose: $(O)/daemon/snapshots/choose.o
$(O)/tests/unit/test_pause_file: $(O)/daemon/snapshots/pause-file.o $(O)/daemon/snapshots/store.o
$(O)/tests/unit/test_store: $(O)/daemon/snapshots/store.o
$(O)/tests/unit/test_backoff: $(O)/export/backoff.o
$(O)/tests/unit/test_export_redact: $(patsubst %,$(O)/export/%.o,redact redact-summary)
$(O)/tests/unit/test_export_config: $(patsubst %,$(O)/export/%.o,export-config export-keys redact)
$(O)/tests/unit/test_export_source: $(O)/export/source.o
$(O)/tests/unit/test_clickhouse: $(patsubst %,$(O)/export/%.o,clickhouse clickhouse-rows clickhouse-gzip spool-state)
$(O)/tests/unit/test_spool: $(patsubst %,$(O)/export/%.o,spool spool-state)
# The test replaces these system calls, because it ends the program at each of them.
$(O)/tests/unit/test_spool: LDFLAGS += $(patsubst %,-Wl$(comma)--wrap=%,write fsync renameat unlinkat openat)
$(O)/tests/unit/test_summary_ring: $(O)/daemon/summaries/ring.o
$(O)/tests/unit/test_sinks: $(SINK_OBJ)
$(O)/tests/unit/test_file_server: $(O)/cli/file-server.o $(O)/cli/downloader.o $(O)/daemon/base/message.o

$(O)/tests/story/story: $(STORY_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(O)/tests/tools/%: $(O)/tests/tools/%.o $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

# Runs the sinks of rsp-export without rsp-export.
$(O)/tests/tools/sinks: $(O)/tests/tools/sinks.o $(SINK_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) $(HTTP_LIBS)

$(EXPORT_OBJ) $(O)/tests/tools/sinks.o: $(PROTO_GEN)

# worker-harness uses an rsp-worker without a recorder: the rsp-worker beside it, which misbehaves
# on request (misbehave.c).
$(O)/tests/tools/worker-harness: $(O)/tests/tools/worker-harness.o \
		$(O)/daemon/worker/worker.o $(O)/daemon/worker/worker-spawn.o $(O)/daemon/base/child.o $(O)/daemon/base/message.o \
		$(O)/daemon/base/forbidden.o $(O)/daemon/base/journal.o $(O)/librecord.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(DAEMON_LIBS)

$(O)/tests/tools/analysis-harness: $(O)/tests/tools/analysis-harness.o $(O)/daemon/snapshots/analysis.o \
		$(O)/daemon/snapshots/file-requests.o $(O)/daemon/snapshots/broker.o \
		$(patsubst %,$(O)/daemon/worker/%.o,inquiry session worker-spawn) \
		$(O)/daemon/base/places.o $(O)/daemon/base/message.o $(O)/daemon/base/forbidden.o $(O)/daemon/base/journal.o \
		$(O)/daemon/base/privileges.o $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) $(DAEMON_LIBS)

$(O)/tests/tools/rsp-worker: $(O)/tests/tools/misbehave.o $(WORKER_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -Wl,--wrap=rsp_unwind_table_build,--wrap=rsp_symcopy_make,--wrap=rsp_symbolize_user \
		-o $@ $^ $(LIB_LIBS)

# Libraries for LD_PRELOAD, which make a system call that the sandbox forbids.
$(O)/tests/preload/%.so: tests/preload/%.c
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -std=gnu11 $(WARN) $(if $(WERROR),-Werror) $(CFLAGS) -fPIC -shared $(LDFLAGS) -o $@ $<

# Evaluates SLOs without the rest of the recorder.
$(O)/tests/tools/slo-watch: $(O)/tests/tools/slo-watch.o \
		$(filter-out %/main.o,$(DAEMON_OBJ)) $(O)/librecord.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(RECORD_LIBS) $(DAEMON_LIBS)

# Serves the recorder's socket without a recorder.
$(O)/tests/tools/api-harness: $(O)/tests/tools/api-harness.o \
		$(filter-out %/main.o,$(DAEMON_OBJ)) $(O)/librecord.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(RECORD_LIBS) $(DAEMON_LIBS)

# Runs the governor without the rest of the recorder.
$(O)/tests/tools/governor: $(O)/tests/tools/governor.o \
		$(filter-out %/main.o,$(DAEMON_OBJ)) $(O)/librecord.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(RECORD_LIBS) $(DAEMON_LIBS)

# Serves the recorder's D-Bus interface without a recorder.
$(O)/tests/tools/bus-harness: $(O)/tests/tools/bus-harness.o $(O)/daemon/api/access.o $(O)/daemon/base/share.o $(O)/daemon/base/journal.o \
		$(patsubst %.c,$(O)/%.o,$(wildcard daemon/bus/*.c)) $(O)/librecord.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(DAEMON_LIBS)

# The programs that tests record are built without sanitizers, which would slow them down.
$(PROG_BIN) $(PROG_BIN:%=%.o) $(O)/tests/truth/world $(TRUTH_OBJ): SANITIZE :=

# A program that contains malloc(), because it is linked statically.
$(O)/tests/programs/allocate-static: $(O)/tests/programs/allocate.o
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) -static -o $@ $^

$(O)/tests/programs/%: $(O)/tests/programs/%.o
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

$(O)/tests/truth/world: $(TRUTH_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ -lpthread

$(O)/bench/model/bench-model: $(BENCH_OBJ) $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

# perf unwinds the stacks of this program by frame pointers.
$(O)/bench/pass.o: CFLAGS += -fno-omit-frame-pointer

$(O)/bench/%: $(O)/bench/%.o $(O)/librsp.a
	$(call say,LD,$@)
	$(Q)$(CC) $(ALLCFLAGS) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

# tests/run builds nothing, so these targets first build everything that the suites need. Missing
# packages are installed before that. Then a second make reads this file again, because reading it
# runs pkg-config and compilers.
SUITES := unit golden exports fuzz web e2e recorder bpf clients attacks vm systemd

check-build-unit: all $(UNIT_BIN)
check-build: check-build-unit $(PROG_BIN) $(O)/tests/programs/allocate-static $(TOOL_BIN) $(PRELOAD_SO) $(O)/tests/story/story fuzz-build

# With ASAN=1, no packages are built.
check-packages: $(if $(ASAN),,deb rpm)

# The programs of tests/sanitized, in a separate build folder.
check-build-sanitized:
	$(Q)$(MAKE) ASAN=1 $(patsubst $(O)/%,build-asan/%,$(UNIT_BIN) $(addprefix $(O)/,rspctl tests/story/story tests/tools/redact))

check-sanitized: deps-test check-build-sanitized
	$(Q)tests/run $(O) sanitized

check: deps-test
	$(Q)$(MAKE) check-build check-packages
	$(Q)tests/run $(O)

$(SUITES:%=check-%): check-%: deps-test
	$(Q)$(MAKE) check-build $(if $(filter systemd,$*),check-packages)
	$(Q)tests/run $(O) $*

# Boots all kernels of tests/vm/kernels, not just the first one. Takes 15 minutes, downloads a few
# hundred MB once, and writes docs/kernels.md.
check-vm-all: deps-test
	$(Q)$(MAKE) check-build
	$(Q)RSP_VM_KERNELS=all RSP_TEST_TIMEOUT=3600 tests/run $(O) vm

# Builds with each compiler of this machine, with the flags of distributions. Takes ten minutes for
# each compiler.
check-compilers: deps-test $(TYPES)
	$(Q)RSP_TEST_TIMEOUT=10800 tests/run $(O) compilers

# Runs README's commands on minimal new installations of Debian 12, 13 and unstable. Needs root and
# the network. Takes ten minutes for each. tests/distros/run has options for shorter runs.
check-distros: deps-distros
	$(Q)RSP_TEST_TIMEOUT=21600 tests/run $(O) distros

# Compares explanations of random systems with the systems' own logs. Takes minutes. This measures
# the quality of explanations and is not part of check.
check-truth: deps-test
	$(Q)$(MAKE) all $(O)/tests/truth/world
	$(Q)tests/truth/run $(O) --seed 1 --count 20

# Records real programs of Debian under a modest load, with a known cause of slowness. Lists the
# reports whose first sentence is not true. Needs root and half a GB of packages. Takes 45 minutes.
# REAL="redis pg-convoy" runs only these cases; REAL_RUNS=1 runs each case once.
REAL      ?=
REAL_RUNS ?= 3

check-real: deps-real
	$(Q)$(MAKE) all $(O)/tests/tools/hidden
	$(Q)tests/real/run $(O) --runs $(REAL_RUNS) $(REAL)

# Changes constants of the model, and checks that the reports of the golden stories (tests/golden)
# then differ. Takes minutes.
check-mutants: deps-test
	$(Q)$(MAKE) $(O)/rspctl $(O)/tests/story/story $(O)/tests/tools/redact
	$(Q)tests/golden/mutate $(O)

# Measures the cost of recording, and prints reference values beside the figures. Needs root and an
# idle machine. bench takes ten minutes. bench-all also measures the cost of an explanation, and
# takes half an hour.
BENCHES := event-cost daemon-cpu freeze report-time
BENCHES_LONG := idle stacks-complete throughput lost encoding

bench: deps-build
	$(Q)$(MAKE) all
	$(Q)bench/run $(BENCHES)

bench-all: deps-build
	$(Q)$(MAKE) all bench-model
	$(Q)bench/run $(BENCHES) $(BENCHES_LONG)

# Measures the time and the memory of an explanation. bench/model/bench-model.c explains the output.
bench-model: $(O)/bench/model/bench-model
	$(Q)$<

# Measures the bytes that an event of real programs takes in the window, and the time to write and
# read it. Needs root. Takes a minute.
bench-window: all
	$(Q)bench/encoding

# --- fuzzing -------------------------------------------------------------------------------------

# Each file of tests/fuzz is a target. The tested code is compiled once for all targets, with
# clang's sanitizers. FUZZ_FAST=1 compiles it without sanitizers, which is several times as fast,
# for long runs. A target begins with its seeds and the inputs of earlier runs. It stops at the
# first failure, and leaves the failing input in the build directory.
F         := $(O)/fuzz$(if $(FUZZ_FAST),-fast)
FUZZ_SRC  := $(sort $(wildcard tests/fuzz/*.c))
FUZZ_BIN  := $(FUZZ_SRC:tests/fuzz/%.c=$(F)/%)
FUZZ_RUNS ?= 100000
FUZZ_FLAGS := -std=gnu11 $(WARN) -Wno-unused-function $(if $(WERROR),-Werror) -gline-tables-only -fno-omit-frame-pointer \
	$(if $(FUZZ_FAST),-O2,-O1 -fsanitize=address,undefined -fno-sanitize-recover=all)

# The tested code: all files except those with main() and those that need the BPF programs. A target
# may contain its own version of a function.
FUZZ_TESTED := $(LIB_SRC) $(CLI_SRC) $(STORY_SRC) $(WORKER_SRC) $(filter-out daemon/capture/% daemon/slo/% \
	daemon/governor/%,$(DAEMON_SRC)) $(addprefix daemon/slo/,slo-rule.c slo-window.c) \
	daemon/governor/governor-steps.c
FUZZ_OBJ := $(patsubst %.c,$(F)/%.o,$(filter-out %/main.c,$(sort $(FUZZ_TESTED)))) \
	$(patsubst %.S,$(F)/%.o,$(wildcard lib/*/*.S daemon/*/*.S)) $(PROTO_GEN:$(O)/%.c=$(F)/%.o)

# The flag q of ar keeps two files with the same name as two members.
$(F)/libtested.a: $(FUZZ_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) qcs $@ $^

$(F)/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(CPPFLAGS) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(F)/gen/%.o: $(O)/gen/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(CPPFLAGS) $(filter-out $(WARN) -Werror,$(FUZZ_FLAGS)) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(patsubst %.c,$(F)/%.o,$(wildcard lib/export/*.c)): $(PROTO_GEN)

$(F)/%.o: %.S
	$(call say,AS,$<)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(CPPFLAGS) -MMD -MP -c -o $@ $<

# The strips of the viewer get only a few bins, because each bin takes time, and all bins are
# handled in the same way.
$(F)/lib/viewer/viewer-strips.o: CPPFLAGS += -DBINS=16
$(F)/lib/viewer/viewer-template.o: $(O)/gen/viewer.html
$(F)/lib/flame/flame-script.o: lib/flame/flame.css lib/flame/flame.js
$(F)/lib/diff/diff-page-files.o: web/style.css lib/diff/diff-page.css lib/diff/diff-page.js
$(F)/daemon/api/interface.o: include/rsp/io.rsp.Recorder.varlink

$(FUZZ_BIN): $(F)/%: $(F)/tests/fuzz/%.o $(F)/libtested.a
	$(call say,FUZZER,$@)
	$(Q)$(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIB_LIBS) $(DAEMON_LIBS) $(CLI_LIBS)

fuzz-build: $(FUZZ_BIN)

$(FUZZ_BIN:%=%.run): %.run: %
	@mkdir -p $<.found
	$(Q)$< -runs=$(FUZZ_RUNS) -max_len=4096 -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
		-artifact_prefix=$<. $<.found tests/fuzz/seeds/$(@F:.run=)

fuzz: deps-fuzz
	$(Q)$(MAKE) $(FUZZ_BIN:%=%.run)

FUZZ_TARGETS := $(FUZZ_BIN:$(F)/%=fuzz-%)
$(FUZZ_TARGETS): fuzz-%: deps-fuzz
	$(Q)$(MAKE) $(F)/$*.run
.PHONY: fuzz fuzz-build $(FUZZ_TARGETS) $(FUZZ_BIN:%=%.run)

check-format:
	$(Q)clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h')

# Checks the includes for circles, and the sizes of files and functions.
check-style: check-format
	$(Q)packaging/check-structure

# Makes repositories for apt and dnf from the packages of `make deb` and `make rpm`, in the build
# folder. REPO_KEY=ID is the GPG key that signs the repositories. They keep packages of earlier
# versions.
repo:
	$(Q)REPO_KEY='$(REPO_KEY)' packaging/build-repo $(O)

# Installs the package from the repository, upgrades it, and rolls it back. Needs root and a
# package. Takes half a minute.
check-repo:
	$(Q)tests/run $(O) repo

# Records containers of real runtimes. Needs root and large packages. Takes a minute.
check-containers: all
	$(Q)$(if $(filter no,$(DEPS)),:,packaging/install-deps containers)
	$(Q)tests/run $(O) containers

# Tests the alert rules, the dashboard and the Ansible role, and the sinks of rsp-export with real
# servers. The tests of the rules, the dashboard and the role need prometheus and ansible-core.
check-fleet: deps-fleet
	$(Q)$(MAKE) all $(O)/tests/tools/sinks
	$(Q)tests/run $(O) fleet

# Checks the merged snapshot of two emulated machines: one with curl, the other with nginx, php-fpm
# and PostgreSQL. Takes five minutes, and downloads a kernel once.
check-merge: deps-merge
	$(Q)$(MAKE) all $(O)/tests/programs/clocks
	$(Q)tests/run $(O) merge

.PHONY: repo check-repo check-fleet check-merge check-containers check check-build check-build-unit check-build-sanitized check-sanitized check-packages check-vm-all check-compilers check-distros check-truth check-real check-mutants bench bench-all bench-model bench-window check-format check-style $(SUITES:%=check-%)

# --- demo: records and explains a workload of this project's own programs ------------------------

DEMO := $(O)/demo

demo: deps-build
	$(Q)$(MAKE) all
	$(Q)rm -rf $(DEMO)
	$(Q)MAKEFLAGS= $(O)/rspctl run -- \
		sh -c 'make O=$(DEMO) $(DEMO)/librsp.a && sync $(DEMO)/librsp.a'
.PHONY: demo

# --- installation of missing packages ------------------------------------------------------------

deps-build deps-test deps-fuzz deps-package deps-distros deps-real deps-fleet deps-merge: deps-%:
	$(Q)$(if $(filter no,$(DEPS)),:,packaging/install-deps $*)
.PHONY: deps-build deps-test deps-fuzz deps-package deps-distros deps-real deps-fleet deps-merge

# --- install -------------------------------------------------------------------------------------

SYSCONFDIR ?= /etc
BINDIR     ?= $(PREFIX)/bin
SBINDIR    ?= $(PREFIX)/sbin
RSPDDIR    := $(PREFIX)/lib/rsp
UNITDIR    ?= $(PREFIX)/lib/systemd/system
MANDIR     := $(PREFIX)/share/man
MAN_SRC    := $(sort $(wildcard docs/*.[1-8]))
UNITS      := $(notdir $(wildcard systemd/*.service systemd/*.socket))
INSTALL    ?= install

# dbus and polkit search only these directories, whatever PREFIX is.
install: all
	$(if $(UNITDIR),,$(error UNITDIR is empty: which directory are systemd's units to be installed in?))
	$(call say,INSTALL,$(or $(DESTDIR),/))
	$(Q)$(INSTALL) -D -m 755 $(O)/rspctl $(DESTDIR)$(BINDIR)/rspctl
	$(Q)$(INSTALL) -D -m 755 -t $(DESTDIR)$(RSPDDIR) $(O)/rspd $(O)/rsp-worker $(O)/rsp-fleet $(O)/rsp-spans
	$(Q)$(INSTALL) -D -m 755 -t $(DESTDIR)$(SBINDIR) $(O)/rsp-export
	$(Q)$(INSTALL) -D -m 644 -t $(DESTDIR)$(SYSCONFDIR)/rsp packaging/rspd.conf packaging/export.conf
	$(Q)$(INSTALL) -D -m 644 -t $(DESTDIR)$(UNITDIR) $(UNITS:%=systemd/%)
	$(Q)sed -i 's|@RSPDDIR@|$(RSPDDIR)|' $(DESTDIR)$(UNITDIR)/rspd.service
	$(Q)sed -i 's|@SBINDIR@|$(SBINDIR)|' $(DESTDIR)$(UNITDIR)/rsp-export.service
	$(Q)$(INSTALL) -D -m 644 systemd/rsp.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/rsp.conf
	$(Q)$(INSTALL) -D -m 644 systemd/rsp.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/rsp.conf
	$(Q)$(INSTALL) -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/catalog systemd/rsp.catalog
	$(Q)$(INSTALL) -D -m 644 -t $(DESTDIR)/usr/share/dbus-1/system.d systemd/io.rsp.Recorder1.conf
	$(Q)$(INSTALL) -D -m 644 -t $(DESTDIR)/usr/share/polkit-1/actions systemd/io.rsp.recorder.policy
	$(Q)$(INSTALL) -D -m 644 packaging/completion/rspctl.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rspctl
	$(Q)$(INSTALL) -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/site-functions packaging/completion/_rspctl
	$(Q)for page in $(MAN_SRC); do \
		$(INSTALL) -D -m 644 -t $(DESTDIR)$(MANDIR)/man$${page##*.} $$page || exit 1; done
.PHONY: install

# --- packages ------------------------------------------------------------------------------------

deb rpm: deps-package $(TYPES)
	$(Q)VMLINUX_H='$(abspath $(TYPES))' DEPS='$(DEPS)' packaging/build-$@ '$(VERSION)' $(O)/$@
.PHONY: deb rpm

# --- for editors ---------------------------------------------------------------------------------

C_SRC := $(LIB_SRC) $(DAEMON_SRC) $(WORKER_SRC) $(CLI_SRC) $(EXPORT_SRC) $(wildcard export/spans/*.c) $(wildcard fleet/*.c) $(UNIT_SRC) $(PROG_SRC) $(TRUTH_SRC) $(STORY_SRC) $(TOOL_SRC) $(PRELOAD_SRC) \
	$(BENCH_SRC) $(BENCH_TOOL_SRC)

compile_commands.json: $(C_SRC) Makefile
	$(call say,GEN,$@)
	$(Q){ printf '['; sep=; for src in $(C_SRC); do \
		printf '%s\n{"directory": "%s", "file": "%s", "command": "%s"}' "$$sep" '$(CURDIR)' \
			"$$src" "$$(printf '%s' "$$COMMAND -c $$src" | sed 's/["\\]/\\&/g')"; sep=,; \
		done; printf '\n]\n'; } > $@
compile_commands.json: export COMMAND = $(CC) $(CPPFLAGS) $(ALLCFLAGS)

# -------------------------------------------------------------------------------------------------

clean:
	rm -rf build build-asan compile_commands.json
.PHONY: clean

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(DAEMON_OBJ) $(WORKER_OBJ) $(CLI_OBJ) $(EXPORT_OBJ) $(SPANS_OBJ) $(FLEET_OBJ) $(BPF_OBJ) \
	$(UNIT_BIN:%=%.o) $(PROG_BIN:%=%.o) $(TRUTH_OBJ) $(STORY_OBJ) $(TOOL_SRC:%.c=$(O)/%.o) $(BENCH_OBJ) \
	$(BENCH_BIN:%=%.o) $(FUZZ_OBJ) $(FUZZ_SRC:%.c=$(F)/%.o))
