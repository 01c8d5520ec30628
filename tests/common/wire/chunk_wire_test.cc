#include "common/wire/chunk_wire.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchfleet/runner/v1/runner.pb.h"
#include "common/wire/sample_wire.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/wire/examples.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// A sample at every limit, with the longest encoding of every number.
Sample LargestSample() {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  Sample sample = ExampleSample();
  sample.arm = {std::string(kMaxNameBytes, 'c'), std::string(kMaxNameBytes, 'v')};
  sample.iterations = kMax;
  sample.batch_ns.assign(kMaxBatches, kMax);
  sample.counters.clear();
  for (int i = 0; i < kMaxCounters; ++i)
    sample.counters[absl::StrCat(100 + i, std::string(kMaxNameBytes - 3, 'n'))] = kMax;
  sample.failure = std::string(kMaxFailureOutputBytes, 'f');
  sample.output = std::string(kMaxFailureOutputBytes, 'o');
  sample.usage = {kMax, kMax, kMax, kMax, kMax};
  return sample;
}

std::vector<Round> DecodeAll(const std::vector<std::string>& chunks) {
  std::vector<Round> rounds;
  for (const std::string& chunk : chunks) {
    auto decoded = DecodeChunk(chunk);
    EXPECT_TRUE(decoded.ok()) << decoded.status();
    if (!decoded.ok()) return {};
    const absl::Status status = AppendRounds(std::get<std::vector<Round>>(*decoded), rounds);
    EXPECT_TRUE(status.ok()) << status;
  }
  return rounds;
}

TEST(Chunk, PlanRoundTrips) {
  const auto decoded = DecodeChunk(EncodeChunk(ExamplePlan()));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(std::get<RunPlan>(*decoded), ExamplePlan());
}

TEST(Chunk, ASmallRoundIsOneChunk) {
  const auto chunks = EncodeChunks(ExampleRound(), kMinChunkBytes);
  EXPECT_THAT(chunks, SizeIs(1));
  EXPECT_EQ(DecodeAll(chunks), std::vector<Round>{ExampleRound()});
}

TEST(Chunk, ARoundWithoutSamplesIsOneChunk) {
  Round round = ExampleRound();
  round.samples.clear();
  EXPECT_EQ(DecodeAll(EncodeChunks(round, kMinChunkBytes)), std::vector<Round>{round});
}

TEST(Chunk, ALargeRoundIsSplitAndAddsUp) {
  Round round = ExampleRound();
  round.samples.assign(7, LargestSample());
  for (int i = 0; i < 7; ++i) round.samples[i].slot = i;
  const auto chunks = EncodeChunks(round, kMinChunkBytes);
  EXPECT_THAT(chunks, SizeIs(::testing::Gt(1)));
  for (const std::string& chunk : chunks) EXPECT_LE(chunk.size(), kMinChunkBytes);
  EXPECT_EQ(DecodeAll(chunks), std::vector<Round>{round});
}

TEST(Chunk, NoChunkIsOverAnyLimit) {
  Round round = ExampleRound();
  round.samples.assign(3000, ExampleSample());
  for (size_t limit = kMinChunkBytes; limit < kMinChunkBytes + 300; limit += 7) {
    const auto chunks = EncodeChunks(round, limit);
    for (const std::string& chunk : chunks) ASSERT_LE(chunk.size(), limit);
  }
}

TEST(Chunk, IsDeterministic) {
  Sample forwards = ExampleSample(), backwards = ExampleSample();
  for (int i = 0; i < 30; ++i) forwards.counters[absl::StrCat("c", i)] = i;
  for (int i = 29; i >= 0; --i) backwards.counters[absl::StrCat("c", i)] = i;
  Round a = ExampleRound(), b = ExampleRound();
  a.samples = {forwards};
  b.samples = {backwards};
  EXPECT_EQ(EncodeChunks(a, kMinChunkBytes), EncodeChunks(b, kMinChunkBytes));
}

TEST(DecodeChunk, RefusesWhatIsNoChunk) {
  EXPECT_THAT(std::string(DecodeChunk("\xFF\xFF").status().message()), HasSubstr("chunk of 2 bytes is not"));
  EXPECT_THAT(std::string(DecodeChunk("").status().message()), HasSubstr("neither a plan nor a round"));
  runner::v1::AttemptChunk chunk;
  chunk.mutable_rounds();
  EXPECT_THAT(std::string(DecodeChunk(chunk.SerializeAsString()).status().message()), HasSubstr("neither a plan"));
  chunk.mutable_rounds()->add_rounds()->set_index(-1);
  EXPECT_THAT(std::string(DecodeChunk(chunk.SerializeAsString()).status().message()), HasSubstr("round.index"));
  chunk.mutable_plan();
  EXPECT_THAT(std::string(DecodeChunk(chunk.SerializeAsString()).status().message()), HasSubstr("plan.suite"));
}

TEST(AppendRounds, RefusesAnIndexThatGoesBack) {
  Round later = ExampleRound(), earlier = ExampleRound();
  later.index = 8;
  std::vector<Round> rounds;
  ASSERT_TRUE(AppendRounds({later}, rounds).ok());
  EXPECT_THAT(std::string(AppendRounds({earlier}, rounds).message()), HasSubstr("round 7 comes after round 8"));
}

TEST(AppendRounds, RefusesTooManySamplesInAll) {
  Round half = ExampleRound();
  half.samples.assign(kMaxSamplesPerRound / 2, ExampleSample());
  std::vector<Round> rounds;
  ASSERT_TRUE(AppendRounds({half, half}, rounds).ok());
  Round one = ExampleRound();
  one.samples.resize(1);
  EXPECT_THAT(std::string(AppendRounds({one}, rounds).message()), HasSubstr("more than 4096 samples"));
}

}  // namespace
}  // namespace benchfleet
