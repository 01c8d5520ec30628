#include "common/wire/host_wire.h"

#include <utility>

#include "common/base/status_macros.h"
#include "common/wire/field_checks.h"
#include "common/wire/plan_wire.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

Interpreter ParseInterpreter(const FieldChecks& checks, const v1::Interpreter& proto) {
  checks.Name("path", proto.path(), kMaxPathBytes);
  checks.Name("version", proto.version(), kMaxNameBytes);
  checks.Text("digest", proto.digest(), kMaxNameBytes);
  return {.path = proto.path(), .version = proto.version(), .digest = proto.digest()};
}

Compiler ParseCompiler(const FieldChecks& checks, const v1::Compiler& proto) {
  checks.Name("name", proto.name(), kMaxNameBytes);
  checks.Name("version", proto.version(), kMaxNameBytes);
  checks.Name("language", proto.language(), kMaxNameBytes);
  checks.Name("path", proto.path(), kMaxPathBytes);
  checks.Text("digest", proto.digest(), kMaxNameBytes);
  checks.Text("target", proto.target(), kMaxNameBytes);
  checks.Text("version_text", proto.version_text(), kMaxNameBytes);
  Compiler compiler{.name = proto.name(),
                    .version = proto.version(),
                    .language = proto.language(),
                    .path = proto.path(),
                    .digest = proto.digest(),
                    .target = proto.target(),
                    .version_text = proto.version_text()};
  if (!checks.Count("stage_digests", static_cast<int>(proto.stage_digests().size()), 0, kMaxCompilerStages)) {
    return compiler;
  }
  compiler.stage_digests = {proto.stage_digests().begin(), proto.stage_digests().end()};
  for (const auto& [stage, digest] : compiler.stage_digests) {
    if (!checks.Name("stage_digests", stage, kMaxNameBytes)) continue;
    checks.Text(absl::StrCat("stage_digests[", stage, "]"), digest, kMaxNameBytes);
  }
  return compiler;
}

v1::Compiler CompilerToProto(const Compiler& compiler) {
  v1::Compiler proto;
  proto.set_name(compiler.name);
  proto.set_version(compiler.version);
  proto.set_language(compiler.language);
  proto.set_path(ToUtf8(compiler.path));
  proto.set_digest(compiler.digest);
  proto.set_target(ToUtf8(compiler.target));
  proto.set_version_text(ToUtf8(compiler.version_text));
  proto.mutable_stage_digests()->insert(compiler.stage_digests.begin(), compiler.stage_digests.end());
  return proto;
}

}  // namespace

absl::StatusOr<HostFacts> ParseHostFacts(const v1::HostFacts& proto, absl::string_view prefix) {
  FieldErrors errors;
  const FieldChecks checks(errors, prefix);
  HostFacts facts;
  if (checks.Name("boot_id", proto.boot_id(), kMaxNameBytes)) facts.boot_id = proto.boot_id();
  absl::StatusOr<Key> host_key = ParseHostKey(proto.host_key());
  if (checks.Ok("host_key", host_key.status())) facts.host_key = *std::move(host_key);
  if (checks.Count("interpreters", proto.interpreters_size(), 0, kMaxHostInterpreters)) {
    for (int i = 0; i < proto.interpreters_size(); ++i) {
      facts.interpreters.push_back(ParseInterpreter(checks.In("interpreters", i), proto.interpreters(i)));
    }
  }
  if (checks.Count("compilers", proto.compilers_size(), 0, kMaxHostCompilers)) {
    for (int i = 0; i < proto.compilers_size(); ++i) {
      facts.compilers.push_back(ParseCompiler(checks.In("compilers", i), proto.compilers(i)));
    }
  }
  if (checks.Range("cpus", proto.cpus(), 1, kMaxCpus)) facts.cpus = proto.cpus();
  if (checks.NotNegative("memory_bytes", proto.memory_bytes())) facts.memory_bytes = proto.memory_bytes();
  if (checks.Count("suites", proto.suites_size(), 0, kMaxHostSuites)) {
    for (int i = 0; i < proto.suites_size(); ++i) {
      checks.Name(absl::StrCat("suites[", i, "]"), proto.suites(i), kMaxNameBytes);
      facts.suites.push_back(proto.suites(i));
    }
  }
  if (checks.Text("arch", proto.arch(), kMaxNameBytes)) facts.arch = proto.arch();
  BF_RETURN_IF_ERROR(errors.ToStatus());
  return facts;
}

v1::HostFacts ToProto(const HostFacts& facts) {
  v1::HostFacts proto;
  proto.set_boot_id(facts.boot_id);
  *proto.mutable_host_key() = ToHostKeyProto(facts.host_key);
  for (const Interpreter& interpreter : facts.interpreters) {
    v1::Interpreter& to = *proto.add_interpreters();
    to.set_path(ToUtf8(interpreter.path));
    to.set_version(interpreter.version);
    to.set_digest(interpreter.digest);
  }
  for (const Compiler& compiler : facts.compilers) *proto.add_compilers() = CompilerToProto(compiler);
  proto.set_cpus(facts.cpus);
  proto.set_memory_bytes(facts.memory_bytes);
  for (const std::string& suite : facts.suites) proto.add_suites(suite);
  proto.set_arch(facts.arch);
  return proto;
}

}  // namespace benchfleet
