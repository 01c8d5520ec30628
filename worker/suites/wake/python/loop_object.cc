#include "worker/suites/wake/python/objects.h"

namespace benchfleet::wake_python {

namespace {

using wake_runtime::NodeList;
using wake_runtime::Sleeper;

LoopObject* AsLoop(PyObject* self) { return reinterpret_cast<LoopObject*>(self); }

PyObject* RefuseClosed() {
  PyErr_SetString(PyExc_RuntimeError, "the loop is closed");
  return nullptr;
}

// The reader of the socket pair.
PyObject* Drain(PyObject* self, PyObject*) {
  LoopObject* const loop = AsLoop(self);
  if (loop->core == nullptr) Py_RETURN_NONE;
  NodeList woken;
  loop->core->Drain();
  loop->core->TakeTo(woken);
  loop->core->NotePolled();
  woken.DispatchBatch();
  Py_RETURN_NONE;
}

bool AddReader(LoopObject* loop) {
  PyObject* const drain = PyObject_GetAttrString(reinterpret_cast<PyObject*>(loop), "_drain");
  if (drain == nullptr) return false;
  PyObject* const fd = PyLong_FromLong(loop->core->wait_fd());
  PyObject* const done =
      fd == nullptr ? nullptr
                    : PyObject_CallMethodObjArgs(loop->asyncio_loop, globals.name_add_reader, fd, drain, nullptr);
  Py_XDECREF(fd);
  Py_DECREF(drain);
  Py_XDECREF(done);
  return done != nullptr;
}

PyObject* NewLoop(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  PyObject* asyncio_loop;
  if (kwargs != nullptr && PyDict_Size(kwargs) != 0) {
    PyErr_SetString(PyExc_TypeError, "Loop() takes no keyword arguments");
    return nullptr;
  }
  if (!PyArg_ParseTuple(args, "O:Loop", &asyncio_loop)) return nullptr;
  PyObject* const self = PyType_GenericAlloc(type, 0);
  if (self == nullptr) return nullptr;
  LoopObject* const loop = AsLoop(self);
  Py_INCREF(asyncio_loop);
  loop->asyncio_loop = asyncio_loop;
  loop->create_future = PyObject_GetAttr(asyncio_loop, globals.name_create_future);
  if (loop->create_future == nullptr) {
    Py_DECREF(self);
    return nullptr;
  }
  loop->core = Core::Create(Sleeper::kForeign);
  if (loop->core == nullptr) {
    PyErr_SetFromErrno(PyExc_OSError);
    Py_DECREF(self);
    return nullptr;
  }
  if (!AddReader(loop)) {
    Py_DECREF(self);
    return nullptr;
  }
  return self;
}

void CloseCore(LoopObject* loop) {
  Core* const core = loop->core;
  loop->core = nullptr;
  core->Close();
  core->Unref();
}

PyObject* Close(PyObject* self, PyObject*) {
  LoopObject* const loop = AsLoop(self);
  if (loop->core == nullptr) Py_RETURN_NONE;
  PyObject* const fd = PyLong_FromLong(loop->core->wait_fd());
  if (fd == nullptr) return nullptr;
  PyObject* const removed = PyObject_CallMethodObjArgs(loop->asyncio_loop, globals.name_remove_reader, fd, nullptr);
  Py_DECREF(fd);
  if (removed == nullptr) return nullptr;
  Py_DECREF(removed);
  CloseCore(loop);
  Py_RETURN_NONE;
}

PyObject* Live(PyObject* self, PyObject*) {
  LoopObject* const loop = AsLoop(self);
  if (loop->core == nullptr) return RefuseClosed();
  return PyLong_FromLongLong(loop->core->live());
}

PyObject* PolledHere(PyObject* self, PyObject*) {
  LoopObject* const loop = AsLoop(self);
  if (loop->core == nullptr) return RefuseClosed();
  return PyBool_FromLong(loop->core->PolledHere());
}

void Dealloc(PyObject* self) {
  LoopObject* const loop = AsLoop(self);
  if (loop->core != nullptr) CloseCore(loop);
  Py_XDECREF(loop->create_future);
  Py_XDECREF(loop->asyncio_loop);
  FreeObject(self);
}

PyMethodDef methods[] = {
    {"close", Close, METH_NOARGS, "Ends it: later wakes do nothing. To be called before the asyncio loop is closed."},
    {"live", Live, METH_NOARGS, "The count of what may wake on this loop."},
    {"polled_here", PolledHere, METH_NOARGS, "Whether it is the loop that last polled on this thread."},
    {"_drain", Drain, METH_NOARGS, "Resolves what was woken through the socket pair."},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("Loop(asyncio_loop): what the runtime adds to an asyncio loop.")},
    {Py_tp_new, reinterpret_cast<void*>(NewLoop)},
    {Py_tp_dealloc, reinterpret_cast<void*>(Dealloc)},
    {Py_tp_methods, methods},
    {0, nullptr},
};

PyType_Spec spec = {"benchfleet_wake.Loop", sizeof(LoopObject), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

bool AddLoopType(PyObject* module) {
  PyObject* const type = PyType_FromSpec(&spec);
  if (type == nullptr) return false;
  globals.loop_type = reinterpret_cast<PyTypeObject*>(type);
  return PyModule_AddObjectRef(module, "Loop", type) == 0;
}

}  // namespace benchfleet::wake_python
