// The declarations of XCUIAutomation that the library and its documented tests use, which XCTest of Apple's SDK exports.
@MainActor open class XCUIElement {
  open func waitForExistence(timeout: Double) -> Bool { false }
}

@MainActor open class XCUIElementQuery {
  open subscript(key: String) -> XCUIElement { XCUIElement() }
}

@MainActor open class XCUIApplication: XCUIElement {
  public override init() {}
  open var launchEnvironment: [String: String] = [:]
  open func launch() {}
  open var textFields: XCUIElementQuery { XCUIElementQuery() }
}
