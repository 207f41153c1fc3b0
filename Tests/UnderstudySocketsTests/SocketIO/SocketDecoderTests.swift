import Testing
import UnderstudySchema
import UnderstudySockets

struct SocketDecoderTests {
  private func packet(_ text: String, _ version: EngineVersion = .four) throws -> SocketPacket? {
    var decoder = SocketDecoder(version)
    return try decoder.receive(.text(text))
  }

  /// Each line is canonical: it is read and written as the same text.
  @Test(arguments: [
    "0", #"0{"token":"123"}"#, "0/custom,", #"0/custom,{"token":"abc"}"#, "1", "1/custom,", #"2["hey"]"#,
    #"2["message",1,"2",{"3":[true]}]"#, #"2456["message-with-ack",1.50,{"b":1,"a":2}]"#, #"2/admin,0["a"]"#,
    "3456[]", #"3/admin,12[{"a":null}]"#, #"4/random,{"message":"Invalid namespace"}"#,
  ])
  func `a packet is written as it was read`(text: String) throws {
    #expect(try packet(text)?.encoded == [.text(text)])
  }

  @Test(arguments: [("0/,", "0"), (#"0/,{"a":1}"#, #"0{"a":1}"#), ("1/,", "1"), ("0/custom", "0/custom,")])
  func `forms of the Swift client and of the suites are read`(text: String, canonical: String) throws {
    #expect(try packet(text)?.encoded == [.text(canonical)])
  }

  @Test(arguments: [
    "", "7", "abc", "2", "2{}", "2[]", "2[{}]", #"2abc["a"]"#, #"2["connect"]"#, #"2["disconnect"]"#, "3[]", "3",
    "3/admin,12", "31", "0[]", "0\"a\"", "1{}", "4", "4[]", #"5["a"]"#, #"5-["a"]"#, #"511-["a"]"#,
    #"599999999999999999999999-["a"]"#, #"299999999999999999999["a"]"#, #"2["a""#,
    #"51-["a",{"_placeholder":true,"num":1}]"#, #"51-["a",{"_placeholder":true}]"#,
  ])
  func `a malformed packet closes the connection`(text: String) {
    #expect(throws: SocketDecoder.Failure.self) { try packet(text) }
  }

  @Test func `attachments complete their packet`() throws {
    var decoder = SocketDecoder(.four)
    let text = #"52-7["a",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]"#
    #expect(try decoder.receive(.text(text)) == nil)
    #expect(try decoder.receive(.binary([1, 2])) == nil)
    let packet = try #require(try decoder.receive(.binary([3])))
    #expect(packet.attachments == [[1, 2], [3]])
    #expect(packet.arguments.values.count == 2)
    #expect(packet.encoded == [.text(text), .binary([1, 2]), .binary([3])])
    #expect(try decoder.receive(.text("2[\"b\"]"))?.event == "b")
  }

  @Test func `a text in place of an attachment, and an attachment without a packet, close the connection`() throws {
    var decoder = SocketDecoder(.four)
    #expect(throws: SocketDecoder.Failure.self) { try decoder.receive(.binary([1])) }
    _ = try decoder.receive(.text(#"51-["a",{"_placeholder":true,"num":0}]"#))
    #expect(throws: SocketDecoder.Failure.self) { try decoder.receive(.text(#"2["b"]"#)) }
  }

  @Test func `in version 4 an error is any value`() throws {
    #expect(try packet(#"4"Not authorized""#, .three)?.payload == "Not authorized")
  }
}
