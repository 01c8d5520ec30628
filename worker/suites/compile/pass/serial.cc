#include "worker/suites/compile/pass/strategy.h"

namespace benchfleet::compile_pass {

namespace {

class Serial final : public Strategy {
 public:
  explicit Serial(const Workshop& workshop) : workshop_(workshop) {}

  std::string Run(size_t first, size_t end) override {
    const auto& [commands, records, launcher] = workshop_;
    for (size_t compile = first; compile < end; ++compile) {
      const int error = launcher.Run(commands.texts(commands.offset(compile)), &records.record(compile));
      if (error != 0) return WaitFailure(compile, error);
    }
    return "";
  }

 private:
  const Workshop& workshop_;
};

}  // namespace

std::unique_ptr<Strategy> MakeSerial(const Workshop& workshop) { return std::make_unique<Serial>(workshop); }

}  // namespace benchfleet::compile_pass
