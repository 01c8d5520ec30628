#include "worker/agent/attempt_upload.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/os/digest.h"

namespace benchfleet {
namespace {

absl::StatusOr<SessionId> CurrentSession(const SessionBox& sessions) {
  std::optional<SessionTerms> terms = sessions.Get();
  if (!terms.has_value()) return absl::UnavailableError("there is no session with the coordinator");
  return std::move(terms->id);
}

}  // namespace

bool IsRetryable(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kDataLoss:
      return false;
    case absl::StatusCode::kNotFound:
      return ErrorReason(status) == "SESSION_NOT_FOUND";
    default:
      return true;
  }
}

bool IsStaleLease(const absl::Status& status) { return ErrorReason(status) == "STALE_LEASE"; }

absl::Status AttemptUpload::SendChunks(absl::Duration timeout) {
  const absl::Duration deadline = now_() + timeout;
  while (sent_ < entry_.chunk_count()) {
    const absl::Duration left = deadline - now_();
    if (left <= absl::ZeroDuration()) {
      return absl::DeadlineExceededError(absl::StrCat("sent ", sent_, " of ", entry_.chunk_count(), " chunks in time"));
    }
    BF_ASSIGN_OR_RETURN(const SessionId session, CurrentSession(sessions_));
    absl::StatusOr<std::string> payload = entry_.ReadChunk(sent_);
    if (!payload.ok()) return absl::DataLossError(payload.status().message());
    AttemptChunk chunk{entry_.lease(), sent_, *std::move(payload)};
    BF_RETURN_IF_ERROR(link_.PutAttemptChunk(session, chunk, std::min(left, kCallTimeout)));
    sent_crc32c_ = Crc32c(chunk.payload, sent_crc32c_);
    ++sent_;
  }
  return absl::OkStatus();
}

absl::Status SendCompletion(CoordinatorLink& link, const SessionBox& sessions, const AttemptCompletion& completion) {
  BF_ASSIGN_OR_RETURN(const SessionId session, CurrentSession(sessions));
  return link.CompleteAttempt(session, completion);
}

Delivery Deliver(CoordinatorLink& link, const SessionBox& sessions, AttemptUpload* upload, AttemptCompletion completion,
                 Backoff& backoff, const WaitFunction& wait) {
  Delivery delivery;
  delivery.completion = std::move(completion);
  while (true) {
    const int before = upload == nullptr ? 0 : upload->sent();
    absl::Status sent = upload == nullptr ? absl::OkStatus() : upload->SendChunks(kCallTimeout);
    if (!sent.ok() && !IsRetryable(sent) && !IsStaleLease(sent)) {
      // What was acknowledged is all there will ever be of this attempt.
      delivery.completion.end = AttemptEnd::kCrashed;
      delivery.completion.detail = absl::StrCat("chunk ", upload->sent(), " was refused: ", sent.message());
      delivery.completion.chunk_count = upload->sent();
      delivery.completion.chunks_crc32c = upload->sent_crc32c();
      upload = nullptr;
      sent = absl::OkStatus();
    }
    if (sent.ok()) sent = SendCompletion(link, sessions, delivery.completion);
    if (sent.ok()) {
      delivery.end = DeliveryEnd::kAcknowledged;
      return delivery;
    }
    if (!IsRetryable(sent)) {
      delivery.end = DeliveryEnd::kRefused;
      delivery.refusal = std::move(sent);
      return delivery;
    }
    // Who takes chunks is not to be spared, however many there are.
    const bool gets_on = upload != nullptr && upload->sent() > before;
    if (!wait(gets_on ? absl::ZeroDuration() : backoff.OnFailure(MonotonicNow()))) return delivery;
  }
}

}  // namespace benchfleet
