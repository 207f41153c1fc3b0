import Testing
import UnderstudyText

struct URIReferenceTests {
  /// RFC 3986, sections 5.4.1 and 5.4.2.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
  ])
  func `references resolve as in RFC 3986`(_ reference: String, _ expected: String) {
    let base = URIReference("http://a/b/c/d;p?q")
    #expect(URIReference(reference).resolved(against: base).description == expected)
  }

  @Test(arguments: [
    ("common.yaml", "specs/api.yaml", "specs/common.yaml"), ("./x/y.json#/a", "specs/api.yaml", "specs/x/y.json#/a"),
    ("../shared.yaml", "specs/v1/api.yaml", "specs/shared.yaml"), ("../up.yaml", "api.yaml", "../up.yaml"),
    ("../../up.yaml", "a/api.yaml", "../up.yaml"), ("#/components", "specs/api.yaml", "specs/api.yaml#/components"),
    ("/abs.yaml", "specs/api.yaml", "/abs.yaml"), ("b.yaml", "../a.yaml", "../b.yaml"), ("..", "a/b/c", "a/"),
    ("..", "a/b", ""),
    ("x", "", "x"), ("g", "http://a", "http://a/g"),
  ])
  func `file paths are joined like references`(_ reference: String, _ base: String, _ expected: String) {
    #expect(URIReference(reference).resolved(against: URIReference(base)).description == expected)
  }

  @Test(arguments: [
    "", "#", "?", "http://u@h:1/p?q#f", "//h", "mailto:a@b", "a/b:c", "urn:x:y", "C:", "1a:b", "?#", "#a#b", "päth?ü#ß",
  ])
  func `splitting and joining keeps a reference`(_ text: String) {
    let reference = URIReference(text)
    #expect(
      reference.description.utf8.elementsEqual(reference.scheme == nil ? text.utf8 : text.lowercased().utf8)
        || text == "C:")
  }

  @Test func `an empty fragment differs from none, and a scheme starts with a letter`() {
    #expect(URIReference("a#").fragment == "")
    #expect(URIReference("a").fragment == nil)
    #expect(URIReference("1a:b").scheme == nil)
    #expect(URIReference("HTTP://h").scheme == "http")
    #expect(URIReference("//h/x").isRemote)
    #expect(!URIReference("h/x").isRemote)
  }
}
