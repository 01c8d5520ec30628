// The objects of the extension module: the runtime's policies on top of asyncio.
//
// One module for CPython 3.10 and later (limited API). Thread-safety: the interpreter's
// lock is held in every function; a wake from another thread takes the queue and the socket.
#ifndef BENCHFLEET_WORKER_SUITES_WAKE_PYTHON_OBJECTS_H_
#define BENCHFLEET_WORKER_SUITES_WAKE_PYTHON_OBJECTS_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "worker/suites/wake/runtime/core.h"
#include "worker/suites/wake/runtime/frame_ring.h"
#include "worker/suites/wake/runtime/node.h"
#include "worker/suites/wake/runtime/policy.h"

namespace benchfleet::wake_python {

using wake_runtime::Core;
using wake_runtime::FrameRing;
using wake_runtime::Node;
using wake_runtime::Policy;

struct StreamObject;

class StreamNode final : public Node {
 public:
  StreamNode(Core& core, StreamObject* stream) : Node(core), stream_(stream) {}

  FrameRing& frames() { return frames_; }
  bool Poll(uint64_t* frame);
  // The stream goes; a link that is under way then resumes nothing.
  void Detach();
  // Resolves what the reader awaits; an error is reported as unraisable.
  void Resume() override;

 private:
  FrameRing frames_;
  StreamObject* stream_;
};

// Loop(asyncio_loop): the part of an asyncio loop that the runtime adds.
struct LoopObject {
  PyObject_HEAD PyObject* asyncio_loop;
  PyObject* create_future;  // its bound method
  Core* core;               // null once closed
};

// Stream(loop), one type for each policy.
struct StreamObject {
  PyObject_HEAD LoopObject* loop;
  StreamNode* node;
  struct ReadObject* parked;  // borrowed: the read that waits
};

// What Stream.read() returns: an awaitable that is its own iterator.
struct ReadObject {
  PyObject_HEAD StreamObject* stream;
  PyObject* future;  // what it waits for, or null
};

struct HandleObject {
  PyObject_HEAD unsigned long long value;
};

// Fetched once, at import. The module lives as long as its interpreter, and there is one.
struct Globals {
  PyObject* get_running_loop = nullptr;  // _asyncio's, in C
  PyObject* name_add_reader = nullptr;
  PyObject* name_blocking = nullptr;
  PyObject* name_create_future = nullptr;
  PyObject* name_done = nullptr;
  PyObject* name_remove_reader = nullptr;
  PyObject* name_set_result = nullptr;
  PyTypeObject* loop_type = nullptr;
  PyTypeObject* read_type = nullptr;
};
extern Globals globals;

// A new reference to the asyncio loop running on this thread, or null without an error set.
PyObject* LookUpRunningLoop();

// Resolves the future of the stream's parked read, if there is one.
bool ResolveParked(StreamObject* stream);

// Add the types to the module; false with an error set.
bool AddLoopType(PyObject* module);
bool AddReadType(PyObject* module);
bool AddStreamTypes(PyObject* module);
bool AddHandleTypes(PyObject* module);

// Frees an object of a heap type that is not tracked by the collector.
void FreeObject(PyObject* self);

template <typename Function>
PyCFunction AsMethod(Function* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

}  // namespace benchfleet::wake_python

#endif  // BENCHFLEET_WORKER_SUITES_WAKE_PYTHON_OBJECTS_H_
