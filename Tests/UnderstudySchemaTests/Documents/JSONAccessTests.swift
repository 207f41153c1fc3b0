import Testing
import UnderstudySchema

/// What a user reads from a value.
struct JSONAccessTests {
  private let json: JSON = ["name": "Rex", "ages": [3, 4.5], "isTame": true, "owner": .null]

  @Test func `a member is found by its name, an element by its position`() {
    #expect(json["name"]?.string == "Rex")
    #expect(json["ages"]?[1]?.double == 4.5)
    #expect(json["isTame"]?.bool == true)
    #expect(json["owner"] == .null)
    #expect(json["ages"]?.array?.count == 2)
  }

  @Test func `a value of another type, a missing member and a position outside are nil`() {
    #expect(json["name"]?.int == nil && json["name"]?.double == nil && json["name"]?.bool == nil)
    #expect(json["isTame"]?.string == nil && json["name"]?.array == nil)
    #expect(json["age"] == nil && json["ages"]?["0"] == nil)
    #expect(json["ages"]?[2] == nil && json["ages"]?[-1] == nil && json[0] == nil)
  }

  @Test func `text is empty for values that are neither strings nor numbers`() throws {
    let root = try JSON(parsing: #"{"a": {"b": [1, 2, 3], "c": true, "d": null}, "e": "f", "g": 1.50}"#)
    #expect(root.text == "" && root["a"]?.text == "" && root["a"]?.members.map(\.value.text) == ["", "", ""])
    #expect(root["e"]?.text == "f" && root["g"]?.text == "1.50")
  }

  @Test func `a number out of range is infinite, and no integer`() throws {
    let number = try JSON(parsing: "1e400")
    #expect(number.double == .infinity && number.int == nil)
  }

  @Test func `a value is decoded as a type`() throws {
    struct Pet: Decodable, Equatable {
      var name: String
      var isTame: Bool
      var owner: String?
    }
    #expect(try json.decoded() == Pet(name: "Rex", isTame: true, owner: nil))
    #expect(try JSON(parsing: "[1, 2]").decoded(as: [Int].self) == [1, 2])
    #expect(try JSON(parsing: #""a""#).decoded(as: String.self) == "a")
    #expect(throws: DecodingError.self) { try json.decoded(as: [Int].self) }
  }
}
