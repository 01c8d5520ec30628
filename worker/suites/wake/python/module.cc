#include <signal.h>
#include <sys/prctl.h>

#include "worker/suites/wake/python/objects.h"

namespace benchfleet::wake_python {

Globals globals;

PyObject* LookUpRunningLoop() {
  PyObject* const loop = PyObject_CallNoArgs(globals.get_running_loop);
  if (loop == nullptr) {
    // Not finding the loop is always safe: the wake takes the socket.
    PyErr_Clear();
    return nullptr;
  }
  if (loop != Py_None) return loop;
  Py_DECREF(loop);
  return nullptr;
}

void FreeObject(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

namespace {

PyObject* CountersOfThread(PyObject*, PyObject*) {
  const wake_runtime::Counters& c = wake_runtime::tl_counters;
  return Py_BuildValue("{sK sK sK sK sK sK sK}",                            //
                       "lookups", (unsigned long long)c.lookups,            //
                       "direct_wakes", (unsigned long long)c.direct_wakes,  //
                       "socket_wakes", (unsigned long long)c.socket_wakes,  //
                       "socket_bytes_written", (unsigned long long)c.socket_bytes_written, "socket_bytes_read",
                       (unsigned long long)c.socket_bytes_read,  //
                       "parks", (unsigned long long)c.parks,     //
                       "resumes", (unsigned long long)c.resumes);
}

PyObject* NothingPolled(PyObject*, PyObject*) {
  return PyBool_FromLong(wake_runtime::tl_polled == &wake_runtime::kNothingLive);
}

PyObject* DieWithParent(PyObject*, PyObject*) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return PyErr_SetFromErrno(PyExc_OSError);
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"counters", CountersOfThread, METH_NOARGS, "What the runtime did on this thread."},
    {"nothing_polled", NothingPolled, METH_NOARGS, "Whether no loop is noted as having polled on this thread."},
    {"die_with_parent", DieWithParent, METH_NOARGS, "Asks the kernel to kill this process when its parent ends."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "benchfleet_wake",
    "Wakes of asyncio futures, in three variants.",
    -1,
    functions,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

bool Intern(PyObject** name, const char* text) {
  *name = PyUnicode_InternFromString(text);
  return *name != nullptr;
}

bool FetchGlobals() {
  PyObject* const asyncio = PyImport_ImportModule("_asyncio");
  if (asyncio == nullptr) return false;
  globals.get_running_loop = PyObject_GetAttrString(asyncio, "_get_running_loop");
  Py_DECREF(asyncio);
  return globals.get_running_loop != nullptr && Intern(&globals.name_add_reader, "add_reader") &&
         Intern(&globals.name_blocking, "_asyncio_future_blocking") &&
         Intern(&globals.name_create_future, "create_future") && Intern(&globals.name_done, "done") &&
         Intern(&globals.name_remove_reader, "remove_reader") && Intern(&globals.name_set_result, "set_result");
}

}  // namespace

}  // namespace benchfleet::wake_python

PyMODINIT_FUNC PyInit_benchfleet_wake() {
  using namespace benchfleet::wake_python;  // NOLINT: the one function outside it
  if (!FetchGlobals()) return nullptr;
  PyObject* const module = PyModule_Create(&definition);
  if (module == nullptr) return nullptr;
  if (!AddLoopType(module) || !AddReadType(module) || !AddStreamTypes(module) || !AddHandleTypes(module)) {
    Py_DECREF(module);
    return nullptr;
  }
  return module;
}
