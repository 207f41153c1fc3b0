import Foundation
import Testing
import UnderstudyMock

struct InstantTests {
  private let start = Mock.Instant(microsecondsSince1970: 1_000_000)

  @Test func `an instant moves by a duration, and has a duration to another`() {
    let later = start.advanced(by: .milliseconds(1_500))
    #expect(later.microsecondsSince1970 == 2_500_000)
    #expect(start.duration(to: later) == .milliseconds(1_500) && later.duration(to: start) == .milliseconds(-1_500))
    #expect(start < later && start.advanced(by: .zero) == start)
    #expect(start.advanced(by: .seconds(-2)).microsecondsSince1970 == -1_000_000)
  }

  @Test func `an instant that cannot be counted is the nearest one`() {
    #expect(start.advanced(by: .seconds(Int64.max)).microsecondsSince1970 == .max)
    #expect(start.advanced(by: .seconds(Int64.min)).microsecondsSince1970 == .min)
    let far = Mock.Instant(microsecondsSince1970: .max)
    #expect(far.advanced(by: .seconds(1)) == far)
    #expect(Mock.Instant(microsecondsSince1970: .min).duration(to: far) > .zero)
    #expect(Mock.Instant(.distantFuture) < Mock.Instant(Date(timeIntervalSince1970: 1e300)))
    #expect(Mock.Instant(Date(timeIntervalSince1970: -1e300)).microsecondsSince1970 == .min)
  }

  @Test func `a date is an instant of microseconds`() {
    #expect(Mock.Instant(Date(timeIntervalSince1970: 1)) == start)
    #expect(Mock.Instant.now > start)
  }
}
