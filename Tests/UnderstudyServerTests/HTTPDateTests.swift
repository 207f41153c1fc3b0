import Testing
import UnderstudyServer

@Suite struct HTTPDateTests {
  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int.min, "Mon, 01 Jan 0001 00:00:00 GMT"),
  ])
  func `a date has the format of HTTP`(seconds: Int, text: String) {
    #expect(String(decoding: HTTPDate(seconds: seconds).bytes, as: UTF8.self) == text)
  }
}
