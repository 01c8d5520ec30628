// Jobs, requests, events and sessions.
#include <string>

#include "server/store/sqlite_rows.h"
#include "server/store/sqlite_transaction.h"

namespace benchfleet {
namespace {

constexpr char kAll[] = BF_SELECT_JOBS "WHERE id < ? ORDER BY id DESC LIMIT ?";
constexpr char kOfProject[] = BF_SELECT_JOBS "WHERE project = ? AND id < ? ORDER BY id DESC LIMIT ?";
constexpr char kInState[] = BF_SELECT_JOBS "WHERE state = ? AND id < ? ORDER BY id DESC LIMIT ?";
constexpr char kOfProjectInState[] =
    BF_SELECT_JOBS "WHERE project = ? AND state = ? AND id < ? ORDER BY id DESC LIMIT ?";

// Sorts after every id.
constexpr absl::string_view kAfterAllIds = "\x7f";

}  // namespace

absl::StatusOr<std::optional<JobRecord>> SqliteTransaction::FindJob(const JobId& id) {
  return Do([&] {
    Query query(connection_, BF_SELECT_JOBS "WHERE id = ?", id.value());
    return MaybeRow(query, ReadJob);
  });
}

absl::StatusOr<std::vector<JobRecord>> SqliteTransaction::JobsInState(const JobQuery& query,
                                                                      std::optional<JobState> state) {
  const std::string before = query.before.empty() ? std::string(kAfterAllIds) : query.before.value();
  const int limit = RowLimit(query.limit);
  if (query.project.empty()) {
    if (!state.has_value()) {
      Query all(connection_, kAll, before, limit);
      return AllRows(all, ReadJob);
    }
    Query in_state(connection_, kInState, Word(*state), before, limit);
    return AllRows(in_state, ReadJob);
  }
  if (!state.has_value()) {
    Query of_project(connection_, kOfProject, query.project, before, limit);
    return AllRows(of_project, ReadJob);
  }
  Query both(connection_, kOfProjectInState, query.project, Word(*state), before, limit);
  return AllRows(both, ReadJob);
}

// One range of an index for each state, merged: never more than states x limit rows.
absl::StatusOr<std::vector<JobRecord>> SqliteTransaction::ListJobs(const JobQuery& query) {
  return Do([&]() -> absl::StatusOr<std::vector<JobRecord>> {
    if (query.states.empty()) return JobsInState(query, std::nullopt);
    std::vector<JobState> states = query.states;
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    std::vector<JobRecord> jobs;
    for (JobState state : states) {
      BF_ASSIGN_OR_RETURN(std::vector<JobRecord> found, JobsInState(query, state));
      std::move(found.begin(), found.end(), std::back_inserter(jobs));
    }
    std::sort(jobs.begin(), jobs.end(), [](const JobRecord& a, const JobRecord& b) { return b.id < a.id; });
    const size_t limit = static_cast<size_t>(RowLimit(query.limit));
    if (jobs.size() > limit) jobs.resize(limit);
    return jobs;
  });
}

absl::StatusOr<std::optional<StoreReader::RequestRecord>> SqliteTransaction::FindRequest(
    const std::string& request_id) {
  return Do([&]() -> absl::StatusOr<std::optional<RequestRecord>> {
    Query query(connection_, "SELECT digest, job_id FROM requests WHERE id = ?", request_id);
    if (!query.Step()) return std::nullopt;
    RequestRecord request;
    request.digest = query.Text();
    request.job_id = JobId(query.Text());
    return request;
  });
}

absl::StatusOr<std::vector<EventRecord>> SqliteTransaction::EventsOfJob(const JobId& id, int64_t from_number,
                                                                        int limit) {
  return Do([&] {
    Query query(connection_, BF_SELECT_EVENTS "WHERE job_id = ? AND number >= ? ORDER BY number LIMIT ?", id.value(),
                from_number, RowLimit(limit));
    return AllRows(query, ReadEvent);
  });
}

absl::StatusOr<std::optional<SessionRecord>> SqliteTransaction::FindSession(const SessionId& id) {
  return Do([&] {
    Query query(connection_, BF_SELECT_SESSIONS "sessions s WHERE s.id = ?", id.value());
    return MaybeRow(query, ReadSession);
  });
}

absl::StatusOr<std::vector<SessionRecord>> SqliteTransaction::ListHosts(const HostName& after, int limit) {
  return Do([&] {
    Query query(connection_,
                BF_SELECT_SESSIONS
                "hosts h CROSS JOIN sessions s ON s.number = h.newest_session WHERE h.name > ? "
                "ORDER BY h.name LIMIT ?",
                after.value(), RowLimit(limit));
    return AllRows(query, ReadSession);
  });
}

absl::StatusOr<std::optional<SessionRecord>> SqliteTransaction::NewestSession(const HostName& host) {
  return Do([&] {
    Query query(connection_,
                BF_SELECT_SESSIONS "hosts h CROSS JOIN sessions s ON s.number = h.newest_session WHERE h.name = ?",
                host.value());
    return MaybeRow(query, ReadSession);
  });
}

}  // namespace benchfleet
