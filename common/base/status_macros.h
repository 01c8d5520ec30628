// Two macros for straight-line code over absl::Status and absl::StatusOr.
#ifndef BENCHFLEET_COMMON_BASE_STATUS_MACROS_H_
#define BENCHFLEET_COMMON_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the function when `expr` is not OK.
#define BF_RETURN_IF_ERROR(expr) BF_RETURN_IF_ERROR_IMPL_(BF_CONCAT_(bf_status_, __COUNTER__), expr)

// Assigns the value of `expr`, or returns its status: BF_ASSIGN_OR_RETURN(int n, Parse(text)).
#define BF_ASSIGN_OR_RETURN(lhs, expr) BF_ASSIGN_OR_RETURN_IMPL_(BF_CONCAT_(bf_status_or_, __COUNTER__), lhs, expr)

// Names are made with __COUNTER__, not __LINE__: the macros may stand in a lambda that is
// itself their argument.
#define BF_RETURN_IF_ERROR_IMPL_(holder, expr)          \
  do {                                                  \
    if (::absl::Status holder = (expr); !holder.ok()) { \
      return holder;                                    \
    }                                                   \
  } while (false)
#define BF_ASSIGN_OR_RETURN_IMPL_(holder, lhs, expr)   \
  auto holder = (expr);                                \
  if (!holder.ok()) return std::move(holder).status(); \
  lhs = *std::move(holder)
#define BF_CONCAT_INNER_(a, b) a##b
#define BF_CONCAT_(a, b) BF_CONCAT_INNER_(a, b)

#endif  // BENCHFLEET_COMMON_BASE_STATUS_MACROS_H_
