/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which frames of a stack a report shows, for several language runtimes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/report/frame-rules.h"
#include "lib/report/report-frames.h"

#define FRAMES_MAX 16
#define WANT_MAX   3

struct stack {
	const char *what;
	const char *syscall;
	struct rsp_frame frames[FRAMES_MAX];
	const char *want[WANT_MAX + 1];
};

#define KERNEL(symbol)                                                                             \
	{                                                                                          \
		symbol, "vmlinux", true                                                            \
	}
#define AT(module, symbol)                                                                         \
	{                                                                                          \
		symbol, module, false                                                              \
	}
#define JIT                                                                                        \
	{                                                                                          \
		"0x7f0012345678", "?", false                                                       \
	}
#define LIBC(symbol) AT("libc.so.6", symbol)
#define CALLERS_UNKNOWN                                                                            \
	{                                                                                          \
		"(callers unknown)", "?", false                                                    \
	}
#define THREAD_BEGINS	     LIBC("start_thread"), LIBC("clone3")
#define PROGRAM_BEGINS(file) LIBC("__libc_start_call_main"), AT(file, "_start")

#define PY(symbol)   AT("python3.11", symbol)
#define GO(symbol)   AT("server", symbol)
#define JVM(symbol)  AT("libjvm.so", symbol)
#define NODE(symbol) AT("node", symbol)
#define PG(symbol)   AT("postgres", symbol)
#define RUST(symbol) AT("worker", symbol)
#define UNNAMED	     "unnamed JIT or interpreter code"

static const struct stack waits[] = {
	{"C",
	 "nanosleep",
	 {KERNEL("hrtimer_nanosleep"), LIBC("clock_nanosleep"), LIBC("usleep"),
	  AT("app", "back_off"), AT("app", "main"), PROGRAM_BEGINS("app")},
	 {"back_off", "main"}},
	{"C, in main",
	 "nanosleep",
	 {LIBC("clock_nanosleep"), LIBC("sleep"), AT("app", "main"), PROGRAM_BEGINS("app")},
	 {"main"}},
	{"a name is looked up",
	 "poll",
	 {LIBC("__poll"), LIBC("__res_context_send"),
	  AT("libnss_dns.so.2", "_nss_dns_gethostbyname4_r"), LIBC("getaddrinfo"),
	  AT("curl", "resolve"), AT("curl", "main")},
	 {"_nss_dns_gethostbyname4_r", "getaddrinfo", "resolve"}},
	{"a program is run",
	 "wait4",
	 {LIBC("wait4"), LIBC("do_system"), LIBC("system"), AT("app", "rebuild")},
	 {"system", "rebuild"}},
	{"Python sleeps",
	 "clock_nanosleep",
	 {LIBC("clock_nanosleep"), PY("pysleep"), PY("time_sleep"), PY("cfunction_vectorcall_O"),
	  PY("PyObject_Vectorcall"), PY("_PyEval_EvalFrameDefault"), PY("PyEval_EvalCode"),
	  PY("Py_BytesMain"), PY("main"), PROGRAM_BEGINS("python3.11")},
	 {"time_sleep", "main"}},
	{"Python sleeps, and its module is a file",
	 "clock_nanosleep",
	 {LIBC("clock_nanosleep"), AT("time.cpython-311-x86_64-linux-gnu.so", "pysleep"),
	  AT("time.cpython-311-x86_64-linux-gnu.so", "time_sleep"), PY("PyObject_Vectorcall"),
	  PY("_PyEval_EvalFrameDefault")},
	 {"time_sleep"}},
	{"Python without symbols sleeps: the call says more than the interpreter's loop",
	 "clock_nanosleep",
	 {LIBC("clock_nanosleep"), PY("python3.11+0x1a2b40"), PY("PyObject_Vectorcall"),
	  PY("_PyEval_EvalFrameDefault"), PY("PyEval_EvalCode"), PY("python3.11+0x240000"),
	  PY("Py_RunMain"), PY("Py_BytesMain"), PROGRAM_BEGINS("python3.11")},
	 {"python3.11+0x1a2b40"}},
	{"Python without symbols: its methods have names",
	 "clock_nanosleep",
	 {LIBC("clock_nanosleep"), PY("python3.11+0x1a2b40"), PY("time.sleep()"),
	  PY("PyObject_Vectorcall"), PY("_PyEval_EvalFrameDefault"), PY("Py_BytesMain")},
	 {"time.sleep()"}},
	{"Python without symbols waits for a lock",
	 "futex",
	 {LIBC("sem_clockwait"), PY("PyThread_acquire_lock_timed"), PY("python3.11+0x1a2b40"),
	  PY("PyObject_Vectorcall"), PY("_PyEval_EvalFrameDefault")},
	 {"PyThread_acquire_lock_timed"}},
	{"PHP sleeps",
	 "clock_nanosleep",
	 {LIBC("clock_nanosleep"), AT("php8.2", "zif_usleep"), AT("php8.2", "execute_ex"),
	  AT("php8.2", "zend_execute"), AT("php8.2", "php_execute_script"), AT("php8.2", "main")},
	 {"zif_usleep", "main"}},
	{"Python looks a name up",
	 "poll",
	 {LIBC("__poll"), LIBC("__res_context_send"), LIBC("getaddrinfo"),
	  AT("_socket.cpython-311-x86_64-linux-gnu.so", "socket_getaddrinfo"),
	  PY("PyObject_Vectorcall"), PY("_PyEval_EvalFrameDefault")},
	 {"getaddrinfo", "socket_getaddrinfo"}},
	{"Python waits for a lock of its own",
	 "futex",
	 {LIBC("__futex_abstimed_wait_common"), LIBC("sem_clockwait"),
	  PY("PyThread_acquire_lock_timed"), PY("acquire_timed"), PY("lock_PyThread_acquire_lock"),
	  PY("_PyObject_MakeTpCall"), PY("_PyEval_EvalFrameDefault"), PY("thread_run"),
	  PY("pythread_wrapper"), THREAD_BEGINS},
	 {"lock_PyThread_acquire_lock"}},
	{"Python waits for the GIL",
	 "futex",
	 {LIBC("pthread_cond_timedwait"), PY("take_gil"), PY("PyEval_RestoreThread"),
	  PY("time_sleep"), PY("_PyEval_EvalFrameDefault")},
	 {"take_gil", "time_sleep"}},
	{"Python with a perf map",
	 "clock_nanosleep",
	 {LIBC("clock_nanosleep"), PY("time_sleep"), PY("PyObject_Vectorcall"),
	  PY("_PyEval_EvalFrameDefault"), AT("[jit]", "py::poll_queue:/srv/worker.py"),
	  PY("_PyEval_EvalFrameDefault")},
	 {"time_sleep", "py::poll_queue:/srv/worker.py"}},
	{"PostgreSQL sleeps",
	 "epoll_wait",
	 {LIBC("epoll_wait"), PG("WaitEventSetWaitBlock"), PG("WaitEventSetWait"), PG("WaitLatch"),
	  PG("pg_sleep"), PG("ExecInterpExpr"), PG("PostgresMain"), PG("main")},
	 {"pg_sleep", "ExecInterpExpr", "PostgresMain"}},
	{"PostgreSQL waits for a lock, static functions have no names",
	 "epoll_wait",
	 {LIBC("epoll_wait"), PG("postgres+0x5b4000"), PG("WaitEventSetWait"), PG("WaitLatch"),
	  PG("ProcSleep"), PG("postgres+0x5c0000"), PG("LockAcquireExtended")},
	 {"ProcSleep", "LockAcquireExtended"}},
	{"MariaDB sleeps",
	 "futex",
	 {LIBC("pthread_cond_timedwait"), AT("mariadbd", "psi_cond_timedwait"),
	  AT("mariadbd", "Interruptible_wait::wait"), AT("mariadbd", "Item_func_sleep::val_int")},
	 {"Item_func_sleep::val_int"}},
	{"an idle thread of Go",
	 "futex",
	 {GO("runtime.futex"), GO("runtime.futexsleep"), GO("runtime.notesleep"),
	  GO("runtime.mPark"), GO("runtime.stopm"), GO("runtime.findRunnable"),
	  GO("runtime.schedule"), GO("runtime.park_m"), GO("runtime.mcall")},
	 {"runtime.findRunnable"}},
	{"a thread of Go that waits for packets",
	 "epoll_pwait",
	 {GO("runtime/internal/syscall.Syscall6"), GO("runtime.netpoll"),
	  GO("runtime.findRunnable"), GO("runtime.schedule"), GO("runtime.mcall")},
	 {"runtime.netpoll"}},
	{"all of Go's runtime, and none names it",
	 "futex",
	 {GO("runtime.futex"), GO("runtime.futexsleep"), GO("runtime.lock2")},
	 {"runtime.futex"}},
	{"Go in a system call",
	 "fsync",
	 {GO("runtime/internal/syscall.Syscall6"), GO("syscall.RawSyscall6"), GO("syscall.Syscall"),
	  GO("syscall.Fsync"), GO("internal/poll.(*FD).Fsync"), GO("os.(*File).Sync"),
	  GO("main.(*Log).commit"), GO("main.main"), GO("runtime.main"), GO("runtime.goexit")},
	 {"main.(*Log).commit", "main.main"}},
	{"Java waits for a monitor",
	 "futex",
	 {LIBC("pthread_cond_wait"), JVM("os::PlatformEvent::park"), JVM("ObjectMonitor::EnterI"),
	  JVM("ObjectMonitor::enter"), JVM("InterpreterRuntime::monitorenter"), JIT, JIT,
	  JVM("JavaCalls::call_helper"), JVM("JavaThread::run"), THREAD_BEGINS},
	 {"ObjectMonitor::enter"}},
	{"Java sleeps",
	 "futex",
	 {LIBC("pthread_cond_timedwait"), JVM("os::PlatformEvent::park_nanos"),
	  JVM("JavaThread::sleep"), JVM("JVM_Sleep"), JIT, JVM("JavaCalls::call_helper")},
	 {"JVM_Sleep"}},
	{"Java reads a socket",
	 "recvfrom",
	 {LIBC("recv"), AT("libnet.so", "NET_Read"),
	  AT("libnet.so", "Java_java_net_SocketInputStream_socketRead0"), JIT,
	  JVM("JavaCalls::call_helper"), AT("java", "main")},
	 {"NET_Read", "Java_java_net_SocketInputStream_socketRead0"}},
	{"code of a JIT calls the kernel",
	 "clock_nanosleep",
	 {LIBC("clock_nanosleep"), JIT, AT("luajit", "lj_vm_call"), AT("luajit", "dochunk")},
	 {NULL}},
	{"node waits for events",
	 "epoll_wait",
	 {LIBC("epoll_pwait"), NODE("uv__io_poll"), NODE("uv_run"),
	  NODE("node::SpinEventLoopInternal"), NODE("node::NodeMainInstance::Run"),
	  NODE("node::Start"), NODE("main")},
	 {"uv_run", "main"}},
	{"node reads a file",
	 "pread64",
	 {LIBC("pread64"), NODE("uv__fs_read"), NODE("uv_fs_read"), NODE("node::fs::Read"),
	  NODE("Builtins_CallApiCallbackGeneric"), JIT, NODE("Builtins_JSEntry"), NODE("main")},
	 {"uv_fs_read", "node::fs::Read"}},
	{"C++ condition variable",
	 "futex",
	 {LIBC("pthread_cond_wait"), AT("libstdc++.so.6", "std::condition_variable::wait"),
	  AT("app", "std::unique_lock<std::mutex>::lock"), AT("app", "Queue::pop"),
	  AT("app", "std::__invoke_impl<void, Worker>"),
	  AT("app", "std::thread::_State_impl<X>::_M_run"),
	  AT("libstdc++.so.6", "execute_native_thread_routine"), THREAD_BEGINS},
	 {"Queue::pop"}},
	{"C++, and no other name",
	 "futex",
	 {LIBC("pthread_cond_wait"), AT("libstdc++.so.6", "std::condition_variable::wait"),
	  THREAD_BEGINS},
	 {"std::condition_variable::wait"}},
	{"Rust mutex",
	 "futex",
	 {LIBC("syscall"), RUST("std::sys::pal::unix::futex::futex_wait"),
	  RUST("std::sys::sync::mutex::futex::Mutex::lock_contended"), RUST("worker::cache::get"),
	  RUST("std::sys::backtrace::__rust_begin_short_backtrace"),
	  RUST("core::ops::function::FnOnce::call_once"),
	  RUST("std::sys::pal::unix::thread::Thread::new::thread_start"), THREAD_BEGINS},
	 {"worker::cache::get"}},
	{"glib's loop",
	 "poll",
	 {LIBC("__poll"), AT("libglib-2.0.so.0", "g_main_context_iterate"),
	  AT("libglib-2.0.so.0", "g_main_loop_run"), AT("indicator", "main")},
	 {"g_main_loop_run", "main"}},
	{"callers are unknown", "futex", {LIBC("pthread_cond_wait"), CALLERS_UNKNOWN}, {NULL}},
};

static const struct stack runs[] = {
	{"C", NULL, {LIBC("free"), AT("app", "drop"), AT("app", "main")}, {"free", "drop", "main"}},
	{"interpreted Java",
	 NULL,
	 {JIT, JIT, JVM("JavaCalls::call_helper"), JVM("JavaThread::run"), THREAD_BEGINS},
	 {UNNAMED}},
	{"interpreted Java, while the process lives",
	 NULL,
	 {AT("[jit]", "[jit]"), JVM("JavaCalls::call_helper")},
	 {UNNAMED}},
	{"Java code with a perf map",
	 NULL,
	 {AT("[jit]", "void L.holder()"), AT("[jit]", "Interpreter"),
	  JVM("JavaCalls::call_helper")},
	 {"void L.holder()"}},
	{"the JVM works for Java code",
	 NULL,
	 {JVM("SharedRuntime::resolve_helper"), JIT, JVM("JavaCalls::call_helper")},
	 {"SharedRuntime::resolve_helper"}},
	{"the JVM compiles",
	 NULL,
	 {JVM("PhaseChaitin::Split"), JVM("Compile::Compile"), JVM("C2Compiler::compile_method"),
	  JVM("CompileBroker::compiler_thread_loop"), JVM("Thread::call_run"), THREAD_BEGINS},
	 {"C2Compiler::compile_method"}},
	{"the JVM collects garbage",
	 NULL,
	 {JVM("MarkSweep::mark_and_push"), JVM("VM_GenCollectForAllocation::doit"),
	  JVM("VMThread::run"), JVM("Thread::call_run"), THREAD_BEGINS},
	 {"VM_GenCollectForAllocation::doit"}},
	{"interpreted Python",
	 NULL,
	 {PY("_PyObject_MakeTpCall"), PY("_PyEval_EvalFrameDefault"), PY("PyEval_EvalCode"),
	  PY("main")},
	 {"_PyEval_EvalFrameDefault", "main"}},
	{"Python's own functions",
	 NULL,
	 {PY("long_mul"), PY("_PyEval_EvalFrameDefault"), PY("PyEval_EvalCode"), PY("main")},
	 {"long_mul", "main"}},
	{"Python's method without symbols",
	 NULL,
	 {PY("python3.11+0x1a2b40"), PY("str.join()"), PY("_PyEval_EvalFrameDefault")},
	 {"python3.11+0x1a2b40"}},
	{"a method for a script's function with a perf map",
	 NULL,
	 {PY("str.join()"), PY("_PyEval_EvalFrameDefault"), AT("[jit]", "py::work:/srv/a.py")},
	 {"py::work:/srv/a.py"}},
	{"a script's function with a perf map",
	 NULL,
	 {PY("long_mul"), PY("_PyEval_EvalFrameDefault"), AT("[jit]", "py::work:/srv/a.py"),
	  PY("_PyEval_EvalFrameDefault"), AT("[jit]", "py::<module>:/srv/a.py")},
	 {"py::work:/srv/a.py", "py::<module>:/srv/a.py"}},
	{"a script's function, called by compiled code",
	 NULL,
	 {PY("_PyEval_EvalFrameDefault"), PY("PyObject_Vectorcall"),
	  AT("numeric.cpython-311-x86_64-linux-gnu.so", "__pyx_pw_integrate"),
	  PY("_PyEval_EvalFrameDefault")},
	 {"_PyEval_EvalFrameDefault", "__pyx_pw_integrate"}},
	{"an interpreted method, called by a compiled one",
	 NULL,
	 {AT("[jit]", "Interpreter"), AT("[jit]", "void L.holder()"),
	  JVM("JavaCalls::call_helper")},
	 {"Interpreter", "void L.holder()"}},
	{"an interpreted function, called by a compiled one",
	 NULL,
	 {NODE("Builtins_AddHandler"), NODE("Builtins_InterpreterEntryTrampoline"),
	  AT("[jit]", "JS:*outer n.js:1:1"), NODE("Builtins_JSEntry")},
	 {"Builtins_InterpreterEntryTrampoline", "JS:*outer n.js:1:1"}},
	{"the map was not found",
	 NULL,
	 {PY("_PyEval_EvalFrameDefault"), JIT, PY("_PyEval_EvalFrameDefault"), PY("main")},
	 {"_PyEval_EvalFrameDefault"}},
	{"Go works for its caller",
	 NULL,
	 {GO("runtime.memmove"), GO("runtime.growslice"), GO("main.collect"), GO("main.main"),
	  GO("runtime.main"), GO("runtime.goexit")},
	 {"main.collect", "main.main"}},
	{"Go collects garbage",
	 NULL,
	 {GO("runtime.scanobject"), GO("runtime.gcDrain"), GO("runtime.gcBgMarkWorker.func2"),
	  GO("runtime.systemstack"), GO("runtime.gcBgMarkWorker"), GO("runtime.goexit")},
	 {"runtime.gcBgMarkWorker"}},
	{"a signal handler of Go: libc's return from it has no name",
	 NULL,
	 {GO("runtime.cgoSigtramp"), LIBC("libc.so.6+0x3c04f"), GO("main.collect"),
	  GO("runtime.goexit")},
	 {"main.collect"}},
	{"libc without symbols",
	 NULL,
	 {LIBC("libc.so.6+0x9a000"), LIBC("malloc"), AT("app", "grow")},
	 {"libc.so.6+0x9a000", "malloc", "grow"}},
	{"Go's scheduler",
	 NULL,
	 {GO("runtime.procyield"), GO("runtime.lock2"), GO("runtime.findRunnable"),
	  GO("runtime.schedule"), GO("runtime.mcall")},
	 {"runtime.procyield"}},
	{"interpreted JavaScript",
	 NULL,
	 {NODE("Builtins_AddHandler"), NODE("Builtins_InterpreterEntryTrampoline"),
	  NODE("Builtins_JSEntryTrampoline"), NODE("Builtins_JSEntry"),
	  NODE("v8::internal::Execution::Call"), NODE("node::LoadEnvironment"), NODE("main")},
	 {"Builtins_InterpreterEntryTrampoline", "main"}},
	{"compiled JavaScript calls a builtin",
	 NULL,
	 {NODE("Builtins_CEntry_Return1_ArgvOnStack_NoBuiltinExit"), JIT, NODE("Builtins_JSEntry"),
	  NODE("main")},
	 {UNNAMED}},
	{"C++ sorts",
	 NULL,
	 {AT("app", "std::__introsort_loop<int*>"), AT("app", "rank_pages")},
	 {"rank_pages"}},
	{"Rust iterates",
	 NULL,
	 {RUST("<core::ops::range::Range<A> as core::iter::Iterator>::next"),
	  RUST("core::iter::traits::iterator::Iterator::fold"), RUST("worker::sum"),
	  RUST("worker::main"), RUST("std::rt::lang_start"), RUST("main")},
	 {"worker::sum", "worker::main", "main"}},
	{"C++ without another name",
	 NULL,
	 {AT("app", "std::__introsort_loop<int*>"), AT("app", "std::sort<int*>"),
	  AT("app", "main")},
	 {"std::__introsort_loop<int*>", "main"}},
	{"code without symbols",
	 NULL,
	 {AT("libz.so.1", "libz.so.1+0x4f00"), AT("libz.so.1", "inflate"), AT("app", "main")},
	 {"libz.so.1+0x4f00", "inflate", "main"}},
	{"machinery called by code without symbols",
	 NULL,
	 {AT("app", "std::function<void ()>::operator()"), AT("app", "app+0x1200"),
	  AT("app", "main")},
	 {"app+0x1200", "main"}},
	{"in the kernel for Java code",
	 NULL,
	 {KERNEL("clear_page_erms"), KERNEL("asm_exc_page_fault"), JIT,
	  JVM("JavaCalls::call_helper")},
	 {"clear_page_erms"}},
	{"in the kernel for Go code",
	 NULL,
	 {KERNEL("copy_page_from_iter"), KERNEL("__x64_sys_write"),
	  GO("runtime/internal/syscall.Syscall6"), GO("syscall.write"),
	  GO("internal/poll.(*FD).Write"), GO("os.(*File).Write"), GO("main.logLine")},
	 {"copy_page_from_iter", "main.logLine"}},
};

static size_t frame_cnt(const struct stack *s)
{
	size_t cnt = 0;

	while (cnt < FRAMES_MAX && s->frames[cnt].symbol)
		cnt++;
	return cnt;
}

static void expect(const struct stack *s)
{
	const struct rsp_hop hop = {
		.kind = s->syscall ? RSP_HOP_BLOCKED : RSP_HOP_LEAF,
		.category = RSP_CAT_RUNNING_SAMPLED,
		.syscall = s->syscall ? s->syscall : "",
		.frames = (struct rsp_frame *)s->frames,
		.frame_cnt = frame_cnt(s),
	};
	const struct rsp_frame *got[WANT_MAX];
	size_t cnt = rsp_frames_select(&hop, got, WANT_MAX);

	for (size_t i = 0; i < cnt || s->want[i]; i++) {
		const char *text = i < cnt ? rsp_frame_text(got[i]) : "nothing";

		if (i >= cnt || !s->want[i] || strcmp(text, s->want[i]) != 0)
			fail_msg("%s: frame %zu is %s", s->what, i, text);
	}
}

static void waits_are_named_by_their_caller(void **state)
{
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		expect(&waits[i]);
}

static void runs_are_named_by_their_work(void **state)
{
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		expect(&runs[i]);
}

static void patterns_fit_as_they_stand(void **state)
{
	static const struct {
		struct rsp_frame frame;
		enum rsp_frame_question question;
		enum rsp_frame_rank want;
	} rows[] = {
		{NODE("Builtins_LdaGlobalHandler"), RSP_FRAME_OF_RUN, RSP_FRAME_MACHINERY},
		{NODE("Builtins_Handler"), RSP_FRAME_OF_RUN, RSP_FRAME_MACHINERY},
		{NODE("Builtins_HandlerX"), RSP_FRAME_OF_RUN, RSP_FRAME_RUNTIME},
		{NODE("Builtins_"), RSP_FRAME_OF_RUN, RSP_FRAME_RUNTIME},
		{NODE("Builtins"), RSP_FRAME_OF_RUN, RSP_FRAME_INFORMATIVE},
		{AT("app", "uv_run"), RSP_FRAME_OF_RUN, RSP_FRAME_INFORMATIVE},
		{AT("app", "main"), RSP_FRAME_OF_RUN, RSP_FRAME_ENTRY},
		{AT("app", "main_loop"), RSP_FRAME_OF_RUN, RSP_FRAME_INFORMATIVE},
		{AT("app", ""), RSP_FRAME_OF_RUN, RSP_FRAME_INFORMATIVE},
		{AT("", "runtime.futex"), RSP_FRAME_OF_WAIT, RSP_FRAME_MACHINERY},
		{LIBC("read"), RSP_FRAME_OF_WAIT, RSP_FRAME_PLUMBING},
		{LIBC("read"), RSP_FRAME_OF_RUN, RSP_FRAME_INFORMATIVE},
		{AT("ld-linux-x86-64.so.2", "dl_main"), RSP_FRAME_OF_WAIT, RSP_FRAME_PLUMBING},
		{KERNEL("do_syscall_64"), RSP_FRAME_OF_RUN, RSP_FRAME_PLUMBING},
		{KERNEL("main"), RSP_FRAME_OF_RUN, RSP_FRAME_INFORMATIVE},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rsp_frame_rank(&rows[i].frame, rows[i].question) != rows[i].want)
			fail_msg("%s of %s", rows[i].frame.symbol, rows[i].frame.module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_are_named_by_their_caller),
		cmocka_unit_test(runs_are_named_by_their_work),
		cmocka_unit_test(patterns_fit_as_they_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
