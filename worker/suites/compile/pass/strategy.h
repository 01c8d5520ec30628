// A way to run many compiles with at most some of them alive.
#ifndef BENCHFLEET_WORKER_SUITES_COMPILE_PASS_STRATEGY_H_
#define BENCHFLEET_WORKER_SUITES_COMPILE_PASS_STRATEGY_H_

#include <cstddef>
#include <memory>
#include <string>

#include "worker/suites/compile/pass/arguments.h"
#include "worker/suites/compile/pass/commands.h"
#include "worker/suites/compile/pass/launcher.h"
#include "worker/suites/compile/pass/records.h"

namespace benchfleet::compile_pass {

// What every strategy works with. Outlives it.
struct Workshop {
  Commands commands;
  Records records;
  Launcher launcher;
};

// Errors: empty on success, else one line that says why the pass cannot be carried out.
// What still runs then is left to whoever started the pass, in its process group.
class Strategy {
 public:
  virtual ~Strategy() = default;

  // Once, before the commands are indexed, so that processes are forked from a process that
  // is still small: starts the threads or helpers that will launch compiles.
  virtual std::string Prepare() { return ""; }

  // Runs the compiles from `first` up to `end`, launched in this order. Returns when the last
  // one is reaped.
  virtual std::string Run(size_t first, size_t end) = 0;
};

// One compile after the other; the caller launches it and waits for it.
std::unique_ptr<Strategy> MakeSerial(const Workshop& workshop);
// `limit` threads; each takes the next compile, launches it and waits for it.
std::unique_ptr<Strategy> MakeThreads(const Workshop& workshop, int limit);
// `limit` small helper processes, each handed one compile at a time over a socket.
std::unique_ptr<Strategy> MakeProcesses(const Workshop& workshop, int limit);
// One thread that waits for all running compiles at once.
std::unique_ptr<Strategy> MakeEventLoop(const Workshop& workshop, int limit);

std::unique_ptr<Strategy> MakeStrategy(StrategyName name, const Workshop& workshop, int limit);

// "cannot wait for compile 3: No child processes"
std::string WaitFailure(size_t compile, int error);

}  // namespace benchfleet::compile_pass

#endif  // BENCHFLEET_WORKER_SUITES_COMPILE_PASS_STRATEGY_H_
