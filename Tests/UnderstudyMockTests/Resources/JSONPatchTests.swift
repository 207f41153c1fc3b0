import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct JSONPatchTests {
  /// RFC 6902, appendix A, and its errors.
  @Test(arguments: [
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"foo":"bar","baz":"qux"}"#),
    (#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo","foo":"bar"}"#),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (
      #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#
    ),
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"foo":"bar","baz":"qux"}"#),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    (#"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#, #"{"foo":["bar",["abc","def"]]}"#),
    (#"{"foo":1}"#, #"[{"op":"copy","from":"/foo","path":"/bar"}]"#, #"{"foo":1,"bar":1}"#),
    (#"{"foo":1}"#, #"[{"op":"replace","path":"","value":[1]}]"#, "[1]"),
  ])
  func `a patch is applied as the RFC shows`(document: String, patch: String, result: String) throws {
    let patched = try JSONPatch.apply(try json(patch), to: try json(document))
    #expect(JSONWriter.text(patched) == result)
  }

  @Test(arguments: [
    (#"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#),
    (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#),
    (#"{"foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#),
    (#"{"foo":[1]}"#, #"[{"op":"add","path":"/foo/2","value":1}]"#),
    (#"{"foo":[1]}"#, #"[{"op":"remove","path":"/foo/-"}]"#), (#"{"foo":[1]}"#, #"[{"op":"remove","path":"/foo/01"}]"#),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#),
  ])
  func `a patch that does not fit is a conflict`(document: String, patch: String) throws {
    #expect { try JSONPatch.apply(try json(patch), to: try json(document)) } throws: { error in
      if case JSONPatch.Problem.conflict = error { true } else { false }
    }
  }

  @Test(arguments: [
    "{}", #"[{"path":"/a"}]"#, #"[{"op":"add","path":"/a"}]"#, #"[{"op":"jump","path":"/a"}]"#,
    #"[{"op":"move","from":"/a","path":"/a/b"}]"#, #"[{"op":"add","path":"a","value":1}]"#,
  ])
  func `what is not a patch is malformed`(patch: String) throws {
    #expect { try JSONPatch.apply(try json(patch), to: try json(#"{"a":{"b":1}}"#)) } throws: { error in
      if case JSONPatch.Problem.malformed = error { true } else { false }
    }
  }

  @Test func `of a patch that fails nothing counts`() throws {
    let document = try json(#"{"a":1}"#)
    let patch = try json(#"[{"op":"replace","path":"/a","value":2},{"op":"test","path":"/a","value":1}]"#)
    #expect(throws: JSONPatch.Problem.self) { try JSONPatch.apply(patch, to: document) }
    #expect(document["a"]?.int == 1)
  }

  private func json(_ text: String) throws -> JSON { try JSONParser.parse(Array(text.utf8)).root }
}
