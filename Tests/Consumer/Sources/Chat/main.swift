// A status that is not handled here does not compile.
func title(_ status: JoinQueueStatus) -> String {
  switch status {
  case .success: "waiting"
  case .reportedTooOften: "blocked"
  case .penaltyFirst, .penaltySecond, .penaltyThird: "wait"
  case .firebaseTokenError, .notRegistered: "sign in"
  case .serverError, .clientError: "try again"
  }
}

for status in JoinQueueStatus.allCases { print(status.rawValue, title(status)) }
