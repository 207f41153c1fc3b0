import Testing
import UnderstudyContract
import UnderstudyTestSupport

/// The changes that actions make.
struct OverlayActionTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let claim: String
    /// The members of the contract besides its version, `info` and `paths`.
    let before: String
    /// The list of actions.
    let actions: String
    let after: String
    var version = "1.0.0"

    var testDescription: String { claim }
  }

  private static func document(_ members: String) -> String {
    "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths: {}\n" + members
  }

  static let objects = [
    Example(
      claim: "members of an update are inserted, replaced and left",
      before: "xa: {kept: 1, old: 2}", actions: "[{target: $.xa, update: {old: 3, new: 4}}]",
      after: "xa: {kept: 1, old: 3, new: 4}"),
    Example(
      claim: "objects inside objects are merged",
      before: "xa: {b: {c: {d: 1, e: 2}}}", actions: "[{target: $, update: {xa: {b: {c: {e: 3}, f: 4}}}}]",
      after: "xa: {b: {c: {d: 1, e: 3}, f: 4}}"),
    Example(
      claim: "actions apply to the results of earlier actions",
      before: "xa: {b: 1}",
      actions: "[{target: $, update: {xc: {d: 1}}}, {target: $.xc, update: {e: 2}}, {target: $.xc, update: {d: 3}}]",
      after: "xa: {b: 1}\nxc: {d: 3, e: 2}"),
    Example(
      claim: "a removed object can be created anew",
      before: "xa: {b: {old: 1}}",
      actions: "[{target: $.xa.b, remove: true}, {target: $.xa, update: {b: {new: 2}}}]",
      after: "xa: {b: {new: 2}}"),
    Example(
      claim: "`remove` takes precedence over `update`",
      before: "xa: {b: {c: 1}}", actions: "[{target: $.xa.b, update: {d: 2}, remove: true}]", after: "xa: {}"),
    Example(
      claim: "`remove: false` leaves an update in effect",
      before: "xa: {b: 1}", actions: "[{target: $.xa, update: {c: 2}, remove: false}]", after: "xa: {b: 1, c: 2}"),
    Example(
      claim: "a wildcard changes each object that it selects",
      before: "xa: {b: {get: {n: 1}}, c: {post: {n: 2}}, d: {get: {n: 3}}}",
      actions: "[{target: $.xa.*.get, update: {safe: true}}]",
      after: "xa: {b: {get: {n: 1, safe: true}}, c: {post: {n: 2}}, d: {get: {n: 3, safe: true}}}"),
    Example(
      claim: "several names and wildcards select together",
      before: "xa: {b: {c: {n: 1}, d: {n: 2}}, e: {f: {n: 3}}, g: {h: {n: 4}}}",
      actions: "[{target: \"$.xa['b', 'e', 'b'].*\", update: {n: 5}}]",
      after: "xa: {b: {c: {n: 5}, d: {n: 5}}, e: {f: {n: 5}}, g: {h: {n: 4}}}"),
    Example(
      claim: "a filter selects by the values inside",
      before: "xa: {b: {old: true}, c: {old: false}, d: {}}",
      actions: "[{target: '$.xa[?@.old == true]', remove: true}]",
      after: "xa: {c: {old: false}, d: {}}"),
    Example(
      claim: "a descendant query changes nested objects, the outer one first",
      before: "xa: {mark: 1, b: {mark: 1, c: {mark: 1}}}",
      actions: "[{target: '$..[?@.mark == 1]', update: {seen: true}}]",
      after: "xa: {mark: 1, b: {mark: 1, c: {mark: 1, seen: true}, seen: true}, seen: true}"),
    Example(
      claim: "nested objects are removed together",
      before: "xa: {mark: 1, b: {mark: 1}}\nxc: 1", actions: "[{target: '$..[?@.mark == 1]', remove: true}]",
      after: "xc: 1"),
    Example(
      claim: "an object that a query selects twice is changed once",
      before: "xa: {b: [1]}", actions: "[{target: \"$.xa['b', 'b']\", update: 2}]", after: "xa: {b: [1, 2]}"),
    Example(
      claim: "null counts as absent on both sides",
      before: "xa: {b: {c: 1}, d: null}", actions: "[{target: $, update: {xa: {b: null, d: {e: 1}, f: null}}}]",
      after: "xa: {b: {c: 1}, d: {e: 1}, f: null}"),
    Example(
      claim: "names are compared by code points",
      before: "xa: {\"\\u00e9\": 1}", actions: "[{target: $.xa, update: {\"e\\u0301\": 2}}]",
      after: "xa: {\"\\u00e9\": 1, \"e\\u0301\": 2}"),
    Example(
      claim: "the spelling of numbers stays",
      before: "xa: {b: 1.50}", actions: "[{target: $.xa, update: {c: 2.00}}]", after: "xa: {b: 1.50, c: 2.00}"),
    Example(
      claim: "traits select the operations that have them",
      before: "xa: {b: {x-oai-traits: {paged: {}}}, c: {}}",
      actions: "[{target: \"$.xa[?@['x-oai-traits'].paged]\", update: {parameters: [{name: top}, {name: skip}]}}]",
      after: "xa: {b: {x-oai-traits: {paged: {}}, parameters: [{name: top}, {name: skip}]}, c: {}}"),
    Example(
      claim: "primitive members are removed",
      before: "xa: {b: 1, c: {b: 2}}", actions: "[{target: $..b, remove: true}]", after: "xa: {c: {}}"),
  ]

  static let arrays = [
    Example(
      claim: "an object is appended to an array",
      before: "xa: [{n: 1}]", actions: "[{target: $.xa, update: {n: 2}}]", after: "xa: [{n: 1}, {n: 2}]"),
    Example(
      claim: "a primitive value is appended to an array",
      before: "xa: {enum: [a]}", actions: "[{target: $.xa.enum, update: b}]", after: "xa: {enum: [a, b]}"),
    Example(
      claim: "an array is concatenated with the target",
      before: "xa: [1]", actions: "[{target: $.xa, update: [2, 3]}]", after: "xa: [1, 2, 3]"),
    Example(
      claim: "arrays inside objects are concatenated",
      before: "xa: {required: [a]}", actions: "[{target: $.xa, update: {required: [b]}}]",
      after: "xa: {required: [a, b]}"),
    Example(
      claim: "several elements are removed by their indices in the array before the action",
      before: "xa: [0, 1, 2, 3, 4]", actions: "[{target: '$.xa[0, 2, -1]', remove: true}]", after: "xa: [1, 3]"),
    Example(
      claim: "indices of a second action count what the first one left",
      before: "xa: [0, 1, 2]", actions: "[{target: '$.xa[0]', remove: true}, {target: '$.xa[0]', remove: true}]",
      after: "xa: [2]"),
    Example(
      claim: "a negative index counts from the end",
      before: "xa: [{n: 1}, {n: 2}]", actions: "[{target: '$.xa[-1]', update: {n: 3}}]", after: "xa: [{n: 1}, {n: 3}]"),
    Example(
      claim: "elements are removed by a filter",
      before: "xa: [{n: dummy}, {n: b}, {n: dummy}]", actions: "[{target: \"$.xa[?@.n == 'dummy']\", remove: true}]",
      after: "xa: [{n: b}]"),
    Example(
      claim: "a slice is removed",
      before: "xa: [0, 1, 2, 3]", actions: "[{target: '$.xa[1:3]', remove: true}]", after: "xa: [0, 3]"),
    Example(
      claim: "an index selects no member, and a name no element",
      before: "xa: {\"0\": {}}\nxb: [{}]",
      actions: "[{target: '$.xa[0]', remove: true}, {target: \"$.xb['0']\", remove: true}]",
      after: "xa: {\"0\": {}}\nxb: [{}]"),
  ]

  static let version11 = [
    Example(
      claim: "a primitive value is replaced",
      before: "xa: {b: old, c: 1}", actions: "[{target: $.xa.b, update: new}, {target: $.xa.c, update: null}]",
      after: "xa: {b: new, c: null}", version: "1.1.0"),
    Example(
      claim: "a copy is merged into each target",
      before: "xa: {b: {c: 1}}\nxd: {e: {}, f: {c: 2}}", actions: "[{target: $.xd.*, copy: $.xa.b}]",
      after: "xa: {b: {c: 1}}\nxd: {e: {c: 1}, f: {c: 1}}", version: "1.1.0"),
    Example(
      claim: "a copied value is moved by the removal of the original",
      before: "xa: {old: {c: 1}}",
      actions: "[{target: $.xa, update: {new: {}}}, {target: $.xa.new, copy: $.xa.old}, "
        + "{target: $.xa.old, remove: true}]",
      after: "xa: {new: {c: 1}}", version: "1.1.0"),
    Example(
      claim: "a copy has the changes of earlier actions",
      before: "xa: {b: 1}\nxc: {}", actions: "[{target: $.xa, update: {d: 2}}, {target: $.xc, copy: $.xa}]",
      after: "xa: {b: 1, d: 2}\nxc: {b: 1, d: 2}", version: "1.1.0"),
  ]

  @Test(arguments: objects + arrays + version11)
  func `actions change the contract`(_ example: Example) throws {
    let overlay = "overlay: \(example.version)\ninfo: {title: T, version: \"1\"}\nactions: \(example.actions)"
    for (suffix, text) in [("yaml", overlay), ("json", try Self.json(overlay))] {
      let (api, findings) = OpenAPIReader.read(
        "api.yaml", overlays: OverlaySettings(files: ["o.\(suffix)"]),
        from: .inMemory(["api.yaml": Self.document(example.before), "o.\(suffix)": text]))
      let root = try #require(api?.root, "\(findings.map(\.message))")
      let expected = try DocumentStore.parse(Self.document(example.after), path: "api.yaml").get().root
      #expect(JSONWriter.text(root) == JSONWriter.text(expected))
      #expect(findings.filter { $0.rule != .overlayUnmatched } == [])
    }
  }

  private static func json(_ yaml: String) throws -> String {
    JSONWriter.text(try DocumentStore.parse(yaml, path: "o.yaml").get().root)
  }

  @Test func `overlays apply in their order`() throws {
    func overlay(_ value: Int) -> String {
      "overlay: 1.0.0\ninfo: {title: T, version: \"1\"}\nactions: [{target: $.xa, update: {b: \(value), c: [\(value)]}}]"
    }
    let api = OpenAPIReader.read(
      "api.yaml", overlays: OverlaySettings(files: ["1.yaml", "2.yaml"]),
      from: .inMemory(["api.yaml": Self.document("xa: {}"), "1.yaml": overlay(1), "2.yaml": overlay(2)])
    ).api
    #expect(api?.root["xa"].map { JSONWriter.text($0) } == #"{"b":2,"c":[1,2]}"#)
  }

  @Test func `references of other files into the contract see the changes`() throws {
    let files = [
      "api.yaml": """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      paths: {/a: {$ref: "paths.yaml#/a"}}
      components: {responses: {R: {description: Old}}}
      """,
      "paths.yaml": "a: {get: {responses: {\"200\": {$ref: \"api.yaml#/components/responses/R\"}}}}",
      "o.yaml": """
      overlay: 1.0.0
      info: {title: T, version: "1"}
      actions: [{target: $.components.responses.R, update: {description: New}}]
      """,
    ]
    let api = OpenAPIReader.read("api.yaml", overlays: OverlaySettings(files: ["o.yaml"]), from: .inMemory(files)).api
    #expect(api?.operations.first?.responses.first?.description == "New")
  }

  @Test func `references of an update are relative to the contract`() throws {
    let files = [
      "specs/api.yaml": "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths: {}",
      "specs/paths.yaml": "a: {get: {responses: {\"204\": {description: Done}}}}",
      "overlays/o.yaml": """
      overlay: 1.0.0
      info: {title: T, version: "1"}
      actions: [{target: $.paths, update: {/a: {$ref: "paths.yaml#/a"}}}]
      """,
    ]
    let (api, findings) = OpenAPIReader.read(
      "specs/api.yaml", overlays: OverlaySettings(files: ["overlays/o.yaml"]), from: .inMemory(files))
    #expect(findings == [])
    #expect(api?.operations.map(\.id) == ["GET_a"])
  }
}
