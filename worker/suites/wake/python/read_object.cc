#include <utility>

#include "worker/suites/wake/python/objects.h"

namespace benchfleet::wake_python {

using wake_runtime::ParkResult;
using wake_runtime::tl_counters;

bool StreamNode::Poll(uint64_t* frame) {
  core().NotePolled();
  BeginPoll();
  return frames_.Take(frame);
}

void StreamNode::Detach() {
  Close();
  stream_ = nullptr;
}

void StreamNode::Resume() {
  if (stream_ == nullptr) return;
  PyObject* const stream = reinterpret_cast<PyObject*>(stream_);
  Py_INCREF(stream);
  if (!ResolveParked(stream_)) PyErr_WriteUnraisable(stream);
  Py_DECREF(stream);
}

bool ResolveParked(StreamObject* stream) {
  if (stream->parked == nullptr) return true;
  PyObject* const future = std::exchange(stream->parked, nullptr)->future;
  Py_INCREF(future);
  PyObject* result = PyObject_CallMethodObjArgs(future, globals.name_done, nullptr);
  // A cancelled future is done already; its frame stays for the next read.
  if (result == Py_False) {
    Py_DECREF(result);
    result = PyObject_CallMethodObjArgs(future, globals.name_set_result, Py_None, nullptr);
  }
  Py_DECREF(future);
  Py_XDECREF(result);
  return result != nullptr;
}

namespace {

ReadObject* AsRead(PyObject* self) { return reinterpret_cast<ReadObject*>(self); }

PyObject* ReturnFrame(uint64_t frame) {
  PyObject* const value = PyLong_FromUnsignedLongLong(frame);
  if (value == nullptr) return nullptr;
  PyErr_SetObject(PyExc_StopIteration, value);
  Py_DECREF(value);
  return nullptr;
}

PyObject* NewFuture(LoopObject* loop) {
  PyObject* const future = PyObject_CallObject(loop->create_future, nullptr);
  if (future == nullptr) return nullptr;
  // What tells a task that the future was awaited, and not just yielded.
  if (PyObject_SetAttr(future, globals.name_blocking, Py_True) != 0) {
    Py_DECREF(future);
    return nullptr;
  }
  return future;
}

// A frame if there is one, else a future to wait for.
PyObject* Next(PyObject* self) {
  ReadObject* const read = AsRead(self);
  StreamObject* const stream = read->stream;
  if (stream->parked != nullptr && stream->parked != read) {
    PyErr_SetString(PyExc_RuntimeError, "another read of this stream waits already");
    return nullptr;
  }
  stream->parked = nullptr;
  const bool waited = read->future != nullptr;
  Py_CLEAR(read->future);
  uint64_t frame;
  if (stream->node->Poll(&frame)) {
    tl_counters.resumes += waited;
    return ReturnFrame(frame);
  }
  // Made first, because making it may run anybody's code: a wake meanwhile is seen by Park().
  PyObject* const future = NewFuture(stream->loop);
  if (future == nullptr) return nullptr;
  while (stream->node->Park() == ParkResult::kWoken) {
    if (!stream->node->Poll(&frame)) continue;
    Py_DECREF(future);
    tl_counters.resumes += waited;
    return ReturnFrame(frame);
  }
  read->future = future;
  stream->parked = read;
  Py_INCREF(future);
  return future;
}

int Clear(PyObject* self) {
  ReadObject* const read = AsRead(self);
  if (read->stream != nullptr && read->stream->parked == read) {
    read->stream->parked = nullptr;
    read->stream->node->BeginPoll();
  }
  Py_CLEAR(read->future);
  Py_CLEAR(read->stream);
  return 0;
}

int Traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(AsRead(self)->future);
  Py_VISIT(reinterpret_cast<PyObject*>(AsRead(self)->stream));
  return 0;
}

void Dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Clear(self);
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

PyObject* Self(PyObject* self) {
  Py_INCREF(self);
  return self;
}

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("One read of a stream; to be awaited once.")},
    {Py_am_await, reinterpret_cast<void*>(Self)},
    {Py_tp_iter, reinterpret_cast<void*>(Self)},
    {Py_tp_iternext, reinterpret_cast<void*>(Next)},
    {Py_tp_traverse, reinterpret_cast<void*>(Traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(Clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(Dealloc)},
    {0, nullptr},
};

PyType_Spec spec = {"benchfleet_wake.Read", sizeof(ReadObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

}  // namespace

bool AddReadType(PyObject* module) {
  PyObject* const type = PyType_FromSpec(&spec);
  if (type == nullptr) return false;
  globals.read_type = reinterpret_cast<PyTypeObject*>(type);
  return PyModule_AddObjectRef(module, "Read", type) == 0;
}

}  // namespace benchfleet::wake_python
