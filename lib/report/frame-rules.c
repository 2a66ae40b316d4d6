/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See frame-rules.h. To support another runtime, add a group with the names of its modules. If the
 * functions of the runtime are linked into programs, add a group without modules. A rule for
 * functions that name a place must come before the pattern for all other functions.
 */
#include "lib/report/frame-rules.h"

#include <string.h>

#define MODULES_MAX 6

/* A '*' in symbol matches any characters, including the '*' in names of Go: "os.(*File).Read". */
struct rule {
	const char *symbol;
	enum rsp_frame_rank of_wait, of_run;
};

struct group {
	const char *modules[MODULES_MAX]; /* patterns of their names; empty: any module */
	const struct rule *rules;	  /* the first match counts; the last has no symbol */
};

#define INFORMATIVE RSP_FRAME_INFORMATIVE
#define SCRIPT	    RSP_FRAME_SCRIPT
#define ENTRY	    RSP_FRAME_ENTRY
#define RUNTIME	    RSP_FRAME_RUNTIME
#define INTERPRETER RSP_FRAME_INTERPRETER
#define MACHINERY   RSP_FRAME_MACHINERY
#define PLUMBING    RSP_FRAME_PLUMBING

/*
 * Frames that all stacks of some kind contain: entries into the kernel, functions that put a task
 * to sleep, beginnings of threads and programs.
 */
static const struct rule kernel[] = {
	{"entry_SYSCALL_*", PLUMBING, PLUMBING},
	{"entry_SYSENTER_*", PLUMBING, PLUMBING},
	{"do_syscall_64", PLUMBING, PLUMBING},
	{"do_int80_*", PLUMBING, PLUMBING},
	{"x64_sys_call", PLUMBING, PLUMBING},
	{"__x64_sys_*", PLUMBING, PLUMBING},
	{"__ia32_sys_*", PLUMBING, PLUMBING},
	{"__do_sys_*", PLUMBING, PLUMBING},
	{"__se_sys_*", PLUMBING, PLUMBING},
	{"ksys_*", PLUMBING, PLUMBING},
	{"asm_exc_*", PLUMBING, PLUMBING},
	{"exc_page_fault", PLUMBING, PLUMBING},
	{"do_user_addr_fault", PLUMBING, PLUMBING},
	{"asm_sysvec_*", PLUMBING, PLUMBING},
	{"sysvec_*", PLUMBING, PLUMBING},
	{"asm_common_interrupt", PLUMBING, PLUMBING},
	{"common_interrupt", PLUMBING, PLUMBING},
	{"irqentry_*", PLUMBING, PLUMBING},
	{"exit_to_user_mode*", PLUMBING, PLUMBING},
	{"syscall_exit_to_user_mode*", PLUMBING, PLUMBING},
	{"schedule", PLUMBING, PLUMBING},
	{"__schedule", PLUMBING, PLUMBING},
	{"preempt_schedule*", PLUMBING, PLUMBING},
	{"__cond_resched", PLUMBING, PLUMBING},
	{"schedule_timeout*", PLUMBING, PLUMBING},
	{"schedule_hrtimeout*", PLUMBING, PLUMBING},
	{"schedule_preempt_disabled", PLUMBING, PLUMBING},
	{"io_schedule*", PLUMBING, PLUMBING},
	{"ret_from_fork*", PLUMBING, PLUMBING},
	{"kthread", PLUMBING, PLUMBING},
	/*
	 * Without a PMU, the sampling interrupt is delayed until these functions enable interrupts.
	 * So the sampled time belongs to their callers.
	 */
	{"_raw_spin_unlock_irq*", PLUMBING, PLUMBING},
	{"_raw_read_unlock_irq*", PLUMBING, PLUMBING},
	{"_raw_write_unlock_irq*", PLUMBING, PLUMBING},
	{"finish_task_switch*", PLUMBING, PLUMBING},
	{NULL},
};

static const struct rule threads[] = {
	{"_start", PLUMBING, PLUMBING},
	{"__libc_start_*", PLUMBING, PLUMBING},
	{"start_thread", PLUMBING, PLUMBING},
	{"clone", PLUMBING, PLUMBING},
	{"clone3", PLUMBING, PLUMBING},
	{"__clone*", PLUMBING, PLUMBING},
	{"syscall", PLUMBING, PLUMBING},
	{"__syscall_cancel*", PLUMBING, PLUMBING},
	{"__internal_syscall_cancel", PLUMBING, PLUMBING},
	{"__syscall_cp*", PLUMBING, PLUMBING},
	{"__futex_abstimed_wait*", PLUMBING, PLUMBING},
	{"main", ENTRY, ENTRY},
	{NULL},
};

/*
 * Most functions of libc make a system call for any caller, and reports name the system call
 * anyway. The functions that are INFORMATIVE for waits do more.
 */
static const struct rule libc[] = {
	{"getaddrinfo", INFORMATIVE, INFORMATIVE},
	{"getnameinfo", INFORMATIVE, INFORMATIVE},
	{"gethostby*", INFORMATIVE, INFORMATIVE},
	{"getpw*", INFORMATIVE, INFORMATIVE},
	{"getgr*", INFORMATIVE, INFORMATIVE},
	{"initgroups", INFORMATIVE, INFORMATIVE},
	{"system", INFORMATIVE, INFORMATIVE},
	{"pclose", INFORMATIVE, INFORMATIVE},
	{"syslog", INFORMATIVE, INFORMATIVE},
	{"vsyslog", INFORMATIVE, INFORMATIVE},
	{"dlopen*", INFORMATIVE, INFORMATIVE},
	{"*", PLUMBING, INFORMATIVE},
	{NULL},
};

/*
 * Standard libraries of C++ and Rust, and a few other libraries. Without these rules, reports would
 * attribute most runs to functions such as iterators.
 */
static const struct rule std[] = {
	{"std::thread::*", MACHINERY, MACHINERY},
	{"std::jthread::*", MACHINERY, MACHINERY},
	{"std::__invoke*", MACHINERY, MACHINERY},
	{"std::invoke*", MACHINERY, MACHINERY},
	{"std::function<*", MACHINERY, MACHINERY},
	{"std::_Function_handler<*", MACHINERY, MACHINERY},
	{"std::__future_base::*", MACHINERY, MACHINERY},
	{"std::call_once*", MACHINERY, MACHINERY},
	{"execute_native_thread_routine*", MACHINERY, MACHINERY},
	{"__gthread_*", MACHINERY, MACHINERY},
	{"__gthrw_*", MACHINERY, MACHINERY},
	{"boost::detail::thread_data<*", MACHINERY, MACHINERY},
	{"boost::thread::*", MACHINERY, MACHINERY},
	{"boost::condition_variable*", MACHINERY, INFORMATIVE},
	{"std::sys::*", MACHINERY, MACHINERY},
	{"std::sys_common::*", MACHINERY, MACHINERY},
	{"std::rt::*", MACHINERY, MACHINERY},
	{"std::panic::*", MACHINERY, MACHINERY},
	{"std::panicking::*", MACHINERY, MACHINERY},
	{"__rust_try", MACHINERY, MACHINERY},
	{"core::ops::function::*", MACHINERY, MACHINERY},
	{"<alloc::boxed::Box<*", MACHINERY, MACHINERY},
	{"<core::panic::*", MACHINERY, MACHINERY},
	{"std::*", MACHINERY, RUNTIME},
	{"core::*", MACHINERY, RUNTIME},
	{"alloc::*", MACHINERY, RUNTIME},
	{"__gnu_cxx::*", MACHINERY, RUNTIME},
	{"hashbrown::*", MACHINERY, RUNTIME},
	{"<std::*", MACHINERY, RUNTIME},
	{"<&std::*", MACHINERY, RUNTIME},
	{"<core::*", MACHINERY, RUNTIME},
	{"<alloc::*", MACHINERY, RUNTIME},
	{"parking_lot*", MACHINERY, INFORMATIVE},
	{"lock_api::*", MACHINERY, INFORMATIVE},
	{"mio::*", MACHINERY, INFORMATIVE},
	{"tokio::runtime::*", RUNTIME, MACHINERY},
	{NULL},
};

/*
 * Go. The stack of a waiting thread contains only functions of the runtime, which show the reason
 * of the wait. In runs, the runtime works for its caller, except for garbage collection.
 */
static const struct rule go[] = {
	{"runtime.gcBgMarkWorker", INFORMATIVE, INFORMATIVE},
	{"runtime.gcAssistAlloc", INFORMATIVE, INFORMATIVE},
	{"runtime.gcStart", INFORMATIVE, INFORMATIVE},
	{"runtime.bgsweep", INFORMATIVE, INFORMATIVE},
	{"runtime.bgscavenge", INFORMATIVE, INFORMATIVE},
	{"runtime.findRunnable", RUNTIME, RUNTIME},
	{"runtime.findrunnable", RUNTIME, RUNTIME},
	{"runtime.netpoll", RUNTIME, RUNTIME},
	{"runtime.stoplockedm", RUNTIME, RUNTIME},
	{"runtime.stopTheWorld*", RUNTIME, RUNTIME},
	{"runtime.sysmon", RUNTIME, RUNTIME},
	{"runtime.sigqueue*", RUNTIME, RUNTIME},
	{"runtime.main", MACHINERY, MACHINERY},
	{"runtime.goexit*", MACHINERY, MACHINERY},
	{"runtime.mstart*", MACHINERY, MACHINERY},
	{"runtime.systemstack*", MACHINERY, MACHINERY},
	{"runtime.mcall*", MACHINERY, MACHINERY},
	{"runtime.asmcgocall*", MACHINERY, MACHINERY},
	{"runtime.cgocall*", MACHINERY, MACHINERY},
	{"runtime.*", MACHINERY, RUNTIME},
	{"runtime/internal/*", MACHINERY, MACHINERY},
	{"internal/runtime/*", MACHINERY, MACHINERY},
	{"internal/bytealg.*", MACHINERY, RUNTIME},
	{"internal/poll.*", MACHINERY, MACHINERY},
	{"internal/*", MACHINERY, INFORMATIVE},
	{"syscall.*", MACHINERY, MACHINERY},
	{"golang.org/x/sys/unix.*", MACHINERY, MACHINERY},
	{"sync.*", MACHINERY, RUNTIME},
	{"sync/atomic.*", MACHINERY, RUNTIME},
	{"os.(*File).*", RUNTIME, RUNTIME},
	{"os.(*Process).*", RUNTIME, INFORMATIVE},
	{"net.(*netFD).*", RUNTIME, RUNTIME},
	{"net.(*conn).*", RUNTIME, RUNTIME},
	{NULL},
};

/*
 * Python. A function that a module exports to scripts names the call. With -X perf, functions of
 * scripts have names, which are more informative than any others.
 */
static const struct rule python[] = {
	{"*()", INFORMATIVE, RUNTIME}, /* a name in the interpreter's table of methods */
	{"take_gil", INFORMATIVE, INFORMATIVE},
	{"time_sleep", INFORMATIVE, INFORMATIVE},
	{"select_*", INFORMATIVE, INFORMATIVE},
	{"sock_call*", MACHINERY, MACHINERY},
	{"sock_recv_impl", MACHINERY, MACHINERY},
	{"sock_recv_guts", MACHINERY, MACHINERY},
	{"sock_send_impl", MACHINERY, MACHINERY},
	{"sock_*", INFORMATIVE, INFORMATIVE},
	{"socket_*", INFORMATIVE, INFORMATIVE},
	{"os_*", INFORMATIVE, INFORMATIVE},
	{"lock_*", INFORMATIVE, INFORMATIVE},
	{"rlock_*", INFORMATIVE, INFORMATIVE},
	{"_io_*", INFORMATIVE, INFORMATIVE},
	{"_queue_*", INFORMATIVE, INFORMATIVE},
	{"gc_collect_main*", INFORMATIVE, INFORMATIVE},
	{"_PyEval_EvalFrameDefault*", PLUMBING, INTERPRETER},
	{"_PyObject_MakeTpCall*", PLUMBING, MACHINERY},
	{"_PyObject_Call*", PLUMBING, MACHINERY},
	{"_PyObject_FastCall*", PLUMBING, MACHINERY},
	{"PyObject_Call*", PLUMBING, MACHINERY},
	{"_PyObject_Vectorcall*", PLUMBING, MACHINERY},
	{"PyObject_Vectorcall*", PLUMBING, MACHINERY},
	{"_PyFunction_Vectorcall*", PLUMBING, MACHINERY},
	{"_PyVectorcall_*", PLUMBING, MACHINERY},
	{"PyVectorcall_*", PLUMBING, MACHINERY},
	{"_PyStack_*", PLUMBING, MACHINERY},
	{"cfunction_*", PLUMBING, MACHINERY},
	{"method_vectorcall*", PLUMBING, MACHINERY},
	{"vectorcall_*", PLUMBING, MACHINERY},
	{"object_vacall*", PLUMBING, MACHINERY},
	{"slot_tp_*", PLUMBING, MACHINERY},
	{"type_call*", PLUMBING, MACHINERY},
	{"_PyEval_*", PLUMBING, MACHINERY},
	{"PyEval_*", PLUMBING, MACHINERY},
	{"builtin_exec*", PLUMBING, MACHINERY},
	{"run_eval_code_obj*", PLUMBING, MACHINERY},
	{"run_mod*", PLUMBING, MACHINERY},
	{"pyrun_*", PLUMBING, MACHINERY},
	{"_PyRun_*", PLUMBING, MACHINERY},
	{"PyRun_*", PLUMBING, MACHINERY},
	{"pymain_*", PLUMBING, MACHINERY},
	{"Py_RunMain", PLUMBING, MACHINERY},
	{"Py_BytesMain", PLUMBING, MACHINERY},
	{"Py_Main", PLUMBING, MACHINERY},
	{"thread_run", PLUMBING, MACHINERY},
	{"pythread_wrapper", PLUMBING, MACHINERY},
	{"pysleep*", MACHINERY, MACHINERY},
	{"PyThread_*", MACHINERY, MACHINERY},
	{"acquire_timed*", MACHINERY, MACHINERY},
	{"_PySemaphore_*", MACHINERY, MACHINERY},
	{"_PyParkingLot_*", MACHINERY, MACHINERY},
	{"_PyMutex_*", MACHINERY, MACHINERY},
	{"*", RUNTIME, RUNTIME},
	{NULL},
};

/* Python's modules that are shared libraries. */
static const struct rule python_modules[] = {
	{"pysleep*", MACHINERY, MACHINERY},	     {"sock_call*", MACHINERY, MACHINERY},
	{"sock_recv_impl", MACHINERY, MACHINERY},    {"sock_recv_guts", MACHINERY, MACHINERY},
	{"sock_send_impl", MACHINERY, MACHINERY},    {"internal_select*", MACHINERY, MACHINERY},
	{"internal_connect*", MACHINERY, MACHINERY}, {NULL},
};

/* PostgreSQL. All of its waits are in these functions, and their caller shows the reason. */
static const struct rule postgres[] = {
	{"WaitEventSetWait*", MACHINERY, INFORMATIVE},
	{"WaitLatch*", MACHINERY, INFORMATIVE},
	{"ConditionVariableSleep", MACHINERY, INFORMATIVE},
	{"ConditionVariableTimedSleep", MACHINERY, INFORMATIVE},
	{"PGSemaphore*", MACHINERY, INFORMATIVE},
	{"pg_usleep", MACHINERY, INFORMATIVE},
	{NULL},
};

/* MariaDB and MySQL. These functions are their instrumented mutexes and conditions. */
static const struct rule mysql[] = {
	{"inline_mysql_*", MACHINERY, INFORMATIVE},
	{"psi_*", MACHINERY, INFORMATIVE},
	{"my_cond_*", MACHINERY, INFORMATIVE},
	{"my_mutex_*", MACHINERY, INFORMATIVE},
	{"safe_cond_*", MACHINERY, INFORMATIVE},
	{"native_cond_*", MACHINERY, INFORMATIVE},
	{"mysql_cond_*", MACHINERY, INFORMATIVE},
	{"os_event*", MACHINERY, INFORMATIVE},
	{"Interruptible_wait::*", MACHINERY, INFORMATIVE},
	{"pfs_spawn_thread", MACHINERY, MACHINERY},
	{"tpool::*", RUNTIME, INFORMATIVE},
	{NULL},
};

/*
 * The JVM. All kinds of locks park a thread in the same way, and the function of the lock shows its
 * kind.
 */
static const struct rule jvm[] = {
	{"JVM_*", INFORMATIVE, INFORMATIVE},
	{"Unsafe_Park", INFORMATIVE, RUNTIME},
	{"ObjectMonitor::enter*", INFORMATIVE, RUNTIME},
	{"ObjectMonitor::wait*", INFORMATIVE, RUNTIME},
	{"SafepointSynchronize::*", INFORMATIVE, RUNTIME},
	{"VMThread::execute", INFORMATIVE, RUNTIME},
	{"VM_*", INFORMATIVE, INFORMATIVE},
	{"C2Compiler::compile_method", INFORMATIVE, INFORMATIVE},
	{"Compiler::compile_method", INFORMATIVE, INFORMATIVE},
	{"JavaCalls::*", PLUMBING, MACHINERY},
	{"Thread::call_run", PLUMBING, MACHINERY},
	{"JavaThread::run", PLUMBING, MACHINERY},
	{"JavaThread::thread_main_inner", PLUMBING, MACHINERY},
	{"thread_entry*", PLUMBING, MACHINERY},
	{"thread_native_entry*", PLUMBING, MACHINERY},
	{"jni_invoke_*", PLUMBING, MACHINERY},
	{"jni_Call*", PLUMBING, MACHINERY},
	{"os::*", MACHINERY, RUNTIME},
	{"Platform*", MACHINERY, RUNTIME},
	{"Parker::*", MACHINERY, RUNTIME},
	{"ParkEvent::*", MACHINERY, RUNTIME},
	{"Monitor::*", MACHINERY, RUNTIME},
	{"Mutex::*", MACHINERY, RUNTIME},
	{"Semaphore::*", MACHINERY, RUNTIME},
	{"PosixSemaphore::*", MACHINERY, RUNTIME},
	{"ObjectMonitor::*", MACHINERY, RUNTIME},
	{"*", RUNTIME, RUNTIME},
	{NULL},
};

/* The launcher of Java (the program java). */
static const struct rule java_launcher[] = {
	{"*", MACHINERY, MACHINERY},
	{NULL},
};

/*
 * Node. Its loop waits for events of any kind. A handler of a bytecode only shows that V8
 * interprets a script.
 */
static const struct rule node[] = {
	{"uv_run", RUNTIME, RUNTIME},
	{"uv__*", MACHINERY, INFORMATIVE},
	{"uv_cond_*", MACHINERY, INFORMATIVE},
	{"uv_sem_*", MACHINERY, INFORMATIVE},
	{"uv_mutex_*", MACHINERY, INFORMATIVE},
	{"uv_barrier_*", MACHINERY, INFORMATIVE},
	{"node::SpinEventLoop*", MACHINERY, MACHINERY},
	{"node::NodeMainInstance::*", MACHINERY, MACHINERY},
	{"node::Start*", MACHINERY, MACHINERY},
	{"node::LoadEnvironment*", MACHINERY, MACHINERY},
	{"node::InternalMakeCallback*", MACHINERY, MACHINERY},
	{"node::MakeCallback*", MACHINERY, MACHINERY},
	{"node::AsyncWrap::MakeCallback*", MACHINERY, MACHINERY},
	{"node::InternalCallbackScope::*", MACHINERY, MACHINERY},
	{"v8::internal::Heap::CollectGarbage*", INFORMATIVE, INFORMATIVE},
	{"Builtins_InterpreterEntryTrampoline", PLUMBING, INTERPRETER},
	{"Builtins_*Handler", PLUMBING, MACHINERY},
	{"Builtins_JSEntry*", PLUMBING, MACHINERY},
	{"Builtins_CEntry*", PLUMBING, MACHINERY},
	{"Builtins_CallApiCallback*", PLUMBING, MACHINERY},
	{"Builtins_HandleApiCall*", PLUMBING, MACHINERY},
	{"Builtins_*", PLUMBING, RUNTIME},
	{"v8::Function::Call*", PLUMBING, MACHINERY},
	{"v8::base::*", MACHINERY, INFORMATIVE},
	{"v8::internal::Execution::*", PLUMBING, MACHINERY},
	{"v8::internal::*Invoke*", PLUMBING, MACHINERY},
	{"v8::internal::*HandleApiCall*", PLUMBING, MACHINERY},
	{"v8::internal::FunctionCallbackArguments*", PLUMBING, MACHINERY},
	{"v8::internal::*", RUNTIME, RUNTIME},
	{NULL},
};

/* Main loops. They wait for events of any kind, and call the functions that handle events. */
static const struct rule loops[] = {
	{"g_main_loop_run", RUNTIME, INFORMATIVE},
	{"g_main_context_*", MACHINERY, INFORMATIVE},
	{"g_poll", MACHINERY, INFORMATIVE},
	{"g_cond_*", MACHINERY, INFORMATIVE},
	{"g_mutex_*", MACHINERY, INFORMATIVE},
	{"g_thread_proxy", MACHINERY, MACHINERY},
	{"g_application_run", RUNTIME, INFORMATIVE},
	{"gtk_main", RUNTIME, INFORMATIVE},
	{"event_base_loop", RUNTIME, INFORMATIVE},
	{"epoll_dispatch", MACHINERY, INFORMATIVE},
	{"ev_run", RUNTIME, INFORMATIVE},
	{"QEventLoop::exec", RUNTIME, INFORMATIVE},
	{"QEventLoop::*", MACHINERY, INFORMATIVE},
	{"QEventDispatcher*", MACHINERY, INFORMATIVE},
	{"QCoreApplication::exec", RUNTIME, INFORMATIVE},
	{"QThread::exec", RUNTIME, INFORMATIVE},
	{"QThreadPrivate::*", MACHINERY, MACHINERY},
	{"QWaitCondition::*", MACHINERY, INFORMATIVE},
	{NULL},
};

/* Interpreters of other languages. Their other functions are more informative than their loop. */
static const struct rule interpreters[] = {
	{"execute_ex", PLUMBING, INTERPRETER},
	{"zend_execute*", PLUMBING, RUNTIME},
	{"zend_call_function", PLUMBING, MACHINERY},
	{"ZEND_*_HANDLER", PLUMBING, MACHINERY},
	{"php_execute_script*", PLUMBING, RUNTIME},
	{"Perl_runops_*", PLUMBING, INTERPRETER},
	{"Perl_pp_entersub", PLUMBING, MACHINERY},
	{"perl_run", PLUMBING, MACHINERY},
	{"vm_exec*", PLUMBING, INTERPRETER},
	{"rb_vm_exec", PLUMBING, INTERPRETER},
	{"vm_call_*", PLUMBING, MACHINERY},
	{"rb_nogvl", MACHINERY, INFORMATIVE},
	{"rb_thread_call_without_gvl*", MACHINERY, INFORMATIVE},
	{"native_sleep", MACHINERY, INFORMATIVE},
	{"luaV_execute", PLUMBING, INTERPRETER},
	{"luaD_*", PLUMBING, MACHINERY},
	{"lj_BC_*", PLUMBING, INTERPRETER},
	{NULL},
};

/*
 * Names in perf maps, which programs write for the code that they generate. V8 and HotSpot also
 * name their stubs.
 */
static const struct rule maps[] = {
	{"py::*", SCRIPT, SCRIPT},
	{"Interpreter", PLUMBING, INTERPRETER},
	{"I2C/C2I adapters", PLUMBING, MACHINERY},
	{"vtable chunks", PLUMBING, MACHINERY},
	{"call_stub", PLUMBING, MACHINERY},
	{"SafepointBlob", PLUMBING, MACHINERY},
	{"StubRoutines*", PLUMBING, RUNTIME},
	{"* Runtime1 stub", PLUMBING, RUNTIME},
	{"Builtin:InterpreterEntryTrampoline", PLUMBING, INTERPRETER},
	{"Builtin:JSEntry*", PLUMBING, MACHINERY},
	{"Builtin:*", PLUMBING, RUNTIME},
	{"BytecodeHandler:*", PLUMBING, MACHINERY},
	{NULL},
};

#define LIBC_MODULES "libc.so*", "libc-*", "libc.musl*", "libpthread*", "ld-*"

/*
 * The groups for frames of programs. rsp_frame_rank() searches the groups of a frame's module in
 * this order, until a rule matches.
 */
static const struct group groups[] = {
	{{NULL}, threads},
	{{LIBC_MODULES}, libc},
	{{"[jit]"}, maps},
	{{"python*", "libpython*"}, python},
	{{"*.cpython-*"}, python_modules},
	{{"postgres"}, postgres},
	{{"mariadbd", "mysqld"}, mysql},
	{{"libjvm.so"}, jvm},
	{{"libjli.so"}, java_launcher},
	{{"node", "nodejs", "libnode.so*", "libuv.so*"}, node},
	{{"php*", "libphp*", "perl*", "libperl*", "ruby*"}, interpreters},
	{{"libruby*", "lua*", "liblua*"}, interpreters},
	{{NULL}, std},
	{{NULL}, go},
	{{NULL}, loops},
};
#define GROUP_CNT (sizeof(groups) / sizeof(groups[0]))

/* --------------------------------------------------------------------------------------------- */

static bool fits(const char *name, const char *pattern)
{
	const char *star = NULL, *rest = NULL; /* last star; end of its match in name */

	while (*name) {
		if (*pattern == '*') {
			star = pattern++;
			rest = name;
		} else if (*pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++rest;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static bool is_of(const char *module, const struct group *group)
{
	if (!group->modules[0])
		return true;
	for (size_t i = 0; i < MODULES_MAX && group->modules[i]; i++)
		if (fits(module, group->modules[i]))
			return true;
	return false;
}

static const struct rule *find(const struct rule *rules, const char *symbol)
{
	for (; rules->symbol; rules++)
		if (fits(symbol, rules->symbol))
			return rules;
	return NULL;
}

enum rsp_frame_rank rsp_frame_rank(const struct rsp_frame *f, enum rsp_frame_question question)
{
	const struct rule *rule = f->kernel ? find(kernel, f->symbol) : NULL;

	for (size_t i = 0; i < GROUP_CNT && !rule && !f->kernel; i++)
		if (is_of(f->module, &groups[i]))
			rule = find(groups[i].rules, f->symbol);
	if (!rule)
		return INFORMATIVE;
	return question == RSP_FRAME_OF_RUN ? rule->of_run : rule->of_wait;
}
