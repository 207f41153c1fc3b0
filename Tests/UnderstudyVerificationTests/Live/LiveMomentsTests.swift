import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Dates and times of requests lie around the day of the run.
struct LiveMomentsTests {
  @Test func `moments as numbers lie around the day of the run as well, within their bounds`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /jobs:
        post:
          operationId: run
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [start_time, endTimeMs, expires, waitTime, runtime]
                  properties:
                    start_time: {type: integer}
                    endTimeMs: {type: integer, format: int64}
                    expires: {type: number}
                    waitTime: {type: integer, maximum: 100}
                    runtime: {type: integer}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let bodies = Mutex<[JSON]>([])
    _ = try await live([contract]) { _, body in
      if let json = try? JSONParser.parse(body).root { bodies.withLock { $0.append(json) } }
      return LiveBaseTests.answer(200)
    } configure: {
      // 2031-06-15
      $0.clock = SampleClock(today: 22_445)
      $0.mode = .positive
      $0.phases = [.random]
    }
    let all = bodies.withLock { $0 }
    #expect(!all.isEmpty)
    let (today, weeks) = (22_445 * 86_400.0, 29 * 86_400.0)
    for body in all {
      let numbers = body.distinctMembers.reduce(into: [String: Double]()) { numbers, member in
        numbers[member.name] = Double(JSONWriter.text(member.value))
      }
      let start = try #require(numbers["start_time"])
      #expect(start < today && start > today - weeks, "\(start)")
      let end = try #require(numbers["endTimeMs"]) / 1_000
      #expect(end > today && end < today + weeks, "\(end)")
      let expiry = try #require(numbers["expires"])
      #expect(expiry > today && expiry < today + weeks, "\(expiry)")
      #expect(try #require(numbers["waitTime"]) <= 100)
      #expect(try #require(numbers["runtime"]) < 1_000)
    }
  }

  @Test func `dates lie around the day of the run, and ahead where the name asks for it`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /silences:
        post:
          operationId: silence
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [startsAt, endsAt]
                  properties: {startsAt: {type: string, format: date-time}, endsAt: {type: string, format: date-time}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let dates = Mutex<[(starts: String, ends: String)]>([])
    _ = try await live([contract]) { _, body in
      if let json = try? JSONParser.parse(body).root, let starts = json["startsAt"]?.string,
        let ends = json["endsAt"]?.string
      {
        dates.withLock { $0.append((starts, ends)) }
      }
      return LiveBaseTests.answer(200)
    } configure: {
      // 2031-06-15
      $0.clock = SampleClock(today: 22_445)
      $0.mode = .positive
      $0.phases = [.random]
    }
    let all = dates.withLock { $0 }
    #expect(!all.isEmpty)
    for (starts, ends) in all {
      #expect(starts < "2031-06-15" && starts > "2031-05-15", "\(starts)")
      #expect(ends > "2031-06-15T24" && ends < "2031-07-15", "\(ends)")
    }
  }
}
