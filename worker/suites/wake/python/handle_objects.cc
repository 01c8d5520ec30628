// The handles: what a program calls. One type for each policy and kind.
#include "worker/suites/wake/python/objects.h"

namespace benchfleet::wake_python {

using wake_runtime::AlwaysWrites;
using wake_runtime::NoteLoop;
using wake_runtime::tl_counters;

namespace {

HandleObject* AsHandle(PyObject* self) { return reinterpret_cast<HandleObject*>(self); }
StreamObject* AsStream(PyObject* self) { return reinterpret_cast<StreamObject*>(self); }

template <Policy P>
PyObject* NoteRunningLoop() {
  return NoteLoop<P>([] { return LookUpRunningLoop(); });
}

// The only argument as a frame or step; false with an error set.
bool ParseNumber(PyObject* const* args, Py_ssize_t count, const char* what, unsigned long long* number) {
  if (count != 1) {
    PyErr_Format(PyExc_TypeError, "%s takes 1 argument, got %zd", what, count);
    return false;
  }
  *number = PyLong_AsUnsignedLongLong(args[0]);
  return *number != static_cast<unsigned long long>(-1) || PyErr_Occurred() == nullptr;
}

bool RefuseArguments(PyObject* args, PyObject* kwargs, const char* what) {
  if (PyTuple_Size(args) == 0 && (kwargs == nullptr || PyDict_Size(kwargs) == 0)) return false;
  PyErr_Format(PyExc_TypeError, "%s() takes no arguments", what);
  return true;
}

PyObject* NewHandle(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  if (RefuseArguments(args, kwargs, "Handle")) return nullptr;
  return PyType_GenericAlloc(type, 0);
}

// The smallest handle call: notes the running loop as every handle call must, because it
// might wake, then adds to the value and returns it.
template <Policy P>
PyObject* HandleCall(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  unsigned long long step;
  if (!ParseNumber(args, count, "call", &step)) return nullptr;
  PyObject* const noted = NoteRunningLoop<P>();
  AsHandle(self)->value += step;
  PyObject* const value = PyLong_FromUnsignedLongLong(AsHandle(self)->value);
  Py_XDECREF(noted);
  return value;
}

PyObject* NewStream(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  PyObject* loop;
  if (kwargs != nullptr && PyDict_Size(kwargs) != 0) {
    PyErr_SetString(PyExc_TypeError, "Stream() takes no keyword arguments");
    return nullptr;
  }
  if (!PyArg_ParseTuple(args, "O!:Stream", globals.loop_type, &loop)) return nullptr;
  Core* const core = reinterpret_cast<LoopObject*>(loop)->core;
  if (core == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "the loop is closed");
    return nullptr;
  }
  PyObject* const self = PyType_GenericAlloc(type, 0);
  if (self == nullptr) return nullptr;
  Py_INCREF(loop);
  AsStream(self)->loop = reinterpret_cast<LoopObject*>(loop);
  AsStream(self)->node = new StreamNode(*core, AsStream(self));
  return self;
}

void DeallocStream(PyObject* self) {
  StreamObject* const stream = AsStream(self);
  if (stream->node != nullptr) {
    stream->node->Detach();
    stream->node->Unref();
  }
  Py_XDECREF(reinterpret_cast<PyObject*>(stream->loop));
  FreeObject(self);
}

// False with an error set.
template <Policy P>
bool WakeReader(StreamObject* stream, PyObject* noted) {
  StreamNode* const node = stream->node;
  if (!node->Wake()) return true;
  const bool direct = noted != nullptr && noted == stream->loop->asyncio_loop;
  tl_counters.direct_wakes += direct;
  tl_counters.socket_wakes += !direct;
  if (direct) return ResolveParked(stream);
  if (node->MarkQueued()) node->core().Push(*node, AlwaysWrites(P));
  return true;
}

template <Policy P>
PyObject* Write(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  unsigned long long frame;
  if (!ParseNumber(args, count, "write", &frame)) return nullptr;
  StreamObject* const stream = AsStream(self);
  PyObject* const noted = NoteRunningLoop<P>();
  if (!stream->node->frames().Put(frame)) {
    Py_XDECREF(noted);
    PyErr_SetString(PyExc_BlockingIOError, "the stream is full");
    return nullptr;
  }
  const bool woken = WakeReader<P>(stream, noted);
  Py_XDECREF(noted);
  if (!woken) return nullptr;
  Py_RETURN_NONE;
}

template <Policy P>
PyObject* Read(PyObject* self, PyObject*) {
  PyObject* const noted = NoteRunningLoop<P>();
  Py_XDECREF(noted);
  PyObject* const read = PyType_GenericAlloc(globals.read_type, 0);
  if (read == nullptr) return nullptr;
  Py_INCREF(self);
  reinterpret_cast<ReadObject*>(read)->stream = AsStream(self);
  return read;
}

template <Policy P>
struct HandleType {
  static inline PyMethodDef methods[] = {
      {"call", AsMethod(HandleCall<P>), METH_FASTCALL, "Adds to the value and returns it."},
      {nullptr, nullptr, 0, nullptr},
  };
  static inline PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(NewHandle)},
      {Py_tp_dealloc, reinterpret_cast<void*>(FreeObject)},
      {Py_tp_methods, methods},
      {0, nullptr},
  };
};

template <Policy P>
struct StreamType {
  static inline PyMethodDef methods[] = {
      {"write", AsMethod(Write<P>), METH_FASTCALL, "Adds a frame, 0 to 2**64-1, and wakes the reader."},
      {"read", Read<P>, METH_NOARGS, "Returns what to await for the next frame."},
      {nullptr, nullptr, 0, nullptr},
  };
  static inline PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(NewStream)},
      {Py_tp_dealloc, reinterpret_cast<void*>(DeallocStream)},
      {Py_tp_methods, methods},
      {0, nullptr},
  };
};

bool AddType(PyObject* module, const char* name, const char* full_name, size_t size, PyType_Slot* slots) {
  PyType_Spec spec = {full_name, static_cast<int>(size), 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject* const type = PyType_FromSpec(&spec);
  if (type == nullptr) return false;
  const bool added = PyModule_AddObjectRef(module, name, type) == 0;
  Py_DECREF(type);
  return added;
}

}  // namespace

bool AddHandleTypes(PyObject* module) {
  const size_t size = sizeof(HandleObject);
  return AddType(module, "SocketHandle", "benchfleet_wake.SocketHandle", size, HandleType<Policy::kSocket>::slots) &&
         AddType(module, "LookupHandle", "benchfleet_wake.LookupHandle", size, HandleType<Policy::kLookup>::slots) &&
         AddType(module, "CountedHandle", "benchfleet_wake.CountedHandle", size, HandleType<Policy::kCounted>::slots);
}

bool AddStreamTypes(PyObject* module) {
  const size_t size = sizeof(StreamObject);
  return AddType(module, "SocketStream", "benchfleet_wake.SocketStream", size, StreamType<Policy::kSocket>::slots) &&
         AddType(module, "LookupStream", "benchfleet_wake.LookupStream", size, StreamType<Policy::kLookup>::slots) &&
         AddType(module, "CountedStream", "benchfleet_wake.CountedStream", size, StreamType<Policy::kCounted>::slots);
}

}  // namespace benchfleet::wake_python
