internal import Foundation
package import Testing

/// The mock of specs/slp.yaml and specs/petstore.yaml that runs already, and that all tests share: `UNDERSTUDY_BASE_URL`
/// names it. `Scripts/check` starts it by `understudy run`; for a simulator `TEST_RUNNER_UNDERSTUDY_BASE_URL` names it.
extension Trait where Self == ConditionTrait {
  /// Skips a test without the shared mock. Swift Testing counts it.
  package static var needsMock: Self {
    .enabled(if: SharedMock.isNamed, "no mock: `make check STEPS=consumers` starts one, UNDERSTUDY_BASE_URL names it")
  }
}

package enum SharedMock {
  package static let isNamed = ProcessInfo.processInfo.environment["UNDERSTUDY_BASE_URL"]?.isEmpty == false
}
