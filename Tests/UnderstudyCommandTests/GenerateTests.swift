import Foundation
import Testing
import UnderstudyTestSupport

/// `understudy generate`: the statuses of a contract as source code.
struct GenerateTests {
  private static func generated(_ arguments: String...) throws -> String {
    try withProject(Shop.files) { folder in
      let result = try Command.run(Command.path, ["generate"] + arguments, in: folder)
      #expect(result.code == 0 && result.error == "", "\(result)")
      return result.output
    }
  }

  @Test func `Swift gets an enumeration for each operation`() throws {
    #expect(
      try Self.generated("swift", "shop.yaml", "--cells") == """
        // Made from the contract shop by `understudy generate swift`. Edits are lost.

        public import UnderstudyTesting

        /// The statuses of `readPet`, GET /pets/{id}.
        public enum ReadPetStatus: Int, CaseIterable, Sendable {
          /// One pet.
          case found = 200
          /// No such pet.
          case noSuchPet = 404
        }

        extension UnderstudyTesting.Cell {
          /// The cells of `readPet`.
          public enum ReadPet {
            public static let found = UnderstudyTesting.Cell(operation: "readPet", status: 200, meaning: "found")
            public static let noSuchPet = UnderstudyTesting.Cell(operation: "readPet", status: 404)
          }
        }

        """)
  }

  @Test func `a range and the default have no number, but a cell`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Ranges, version: "1"}
      paths:
        /a:
          get:
            operationId: readA
            responses:
              "200": {description: Done}
              4XX: {description: Refused, x-meaning: refused}
              5XX: {description: ""}
              default: {description: ""}
          post: {operationId: writeA, responses: {default: {description: ""}}}

      """
    func generated(_ language: String, _ options: String...) throws -> String {
      try withProject(["ranges.yaml": contract]) { folder in
        try Command.run(Command.path, ["generate", language, "ranges.yaml"] + options, in: folder).output
      }
    }
    #expect(
      try generated("swift", "--cells") == """
        // Made from the contract ranges by `understudy generate swift`. Edits are lost.

        public import UnderstudyTesting

        /// The statuses of `readA`, GET /a.
        /// Also documented: 4XX, 5XX, default.
        public enum ReadAStatus: Int, CaseIterable, Sendable {
          /// Done
          case done = 200
        }

        extension UnderstudyTesting.Cell {
          /// The cells of `readA`.
          public enum ReadA {
            public static let done = UnderstudyTesting.Cell(operation: "readA", status: 200)
            public static let refused = UnderstudyTesting.Cell(operation: "readA", status: 400, key: "4XX", meaning: "refused")
            public static let status5XX = UnderstudyTesting.Cell(operation: "readA", status: 500, key: "5XX")
            public static let `default` = UnderstudyTesting.Cell(operation: "readA", status: 201, key: "default")
          }

          /// The cells of `writeA`.
          public enum WriteA {
            public static let `default` = UnderstudyTesting.Cell(operation: "writeA", status: 500, key: "default")
          }
        }

        """)
    for language in ["typescript", "kotlin"] {
      let text = try generated(language)
      #expect(text.contains("Also documented: 4XX, 5XX, default.") && !text.contains("riteA"), "\(text)")
    }
  }

  @Test func `TypeScript gets a union for each operation`() throws {
    #expect(
      try Self.generated("typescript", "shop.yaml") == """
        // Made from the contract shop by `understudy generate typescript`. Edits are lost.

        /** The statuses of `readPet`, GET /pets/{id}. */
        export const readPetStatus = {
          /** One pet. */
          found: 200,
          /** No such pet. */
          noSuchPet: 404,
        } as const;

        export type ReadPetStatus = (typeof readPetStatus)[keyof typeof readPetStatus];

        """)
  }

  @Test func `Kotlin gets an enumeration for each operation`() throws {
    #expect(
      try Self.generated("kotlin", "shop.yaml", "--package", "com.example") == """
        // Made from the contract shop by `understudy generate kotlin`. Edits are lost.

        package com.example

        /** The statuses of `readPet`, GET /pets/{id}. */
        enum class ReadPetStatus(val code: Int) {
            /** One pet. */
            FOUND(200),
            /** No such pet. */
            NO_SUCH_PET(404);

            companion object {
                fun of(code: Int): ReadPetStatus? = values().firstOrNull { it.code == code }
            }
        }

        """)
  }

  @Test(arguments: ["specs/slp.yaml", "specs/petstore.yaml"])
  func `the Swift of a contract compiles`(_ contract: String) throws {
    let text = try Command.run("generate", "swift", contract).output
    try withProject(["Statuses.swift": text]) { folder in
      let result = try Command.run("/usr/bin/env", ["swiftc", "-typecheck", "Statuses.swift"], in: folder)
      #expect(result.code == 0, "\(result.error)")
    }
  }

  /// Names and comments that could break the source code of a language.
  private static let hostile = """
    openapi: 3.1.0
    info: {title: Hostile, version: "1"}
    paths:
      /files/*:
        get:
          operationId: type
          responses:
            "200": {description: "Accept: */* or /* or \\\"quotes\\\" and \\\\(code)", x-meaning: init}
            "201": {description: "", x-meaning: rawValue}
            "202": {description: Two, x-meaning: notFound}
            "203": {description: Three, x-meaning: not_found}
            "204": {description: Four, x-meaning: NOT-FOUND}
            "205": {description: Five, x-meaning: notFound203}
            "206": {description: Six, x-meaning: allCases}
            "207": {description: Seven, x-meaning: default}
            "208": {description: Eight, x-meaning: 한글}
        post: {operationId: cell, responses: {"200": {description: a, x-meaning: Self}, 4XX: {description: b}}}
        put: {operationId: "type!", responses: {"200": {description: a, x-meaning: "class"}}}
        patch: {operationId: any, responses: {"200": {description: a, x-meaning: "Type"}}}
        delete: {operationId: "123", responses: {"200": {description: a, x-meaning: hashValue}}}

    """

  private static func check(_ language: String, _ file: String, _ command: [String], _ options: String...) throws {
    try withProject(["hostile.yaml": hostile]) { folder in
      let generated = try Command.run(
        Command.path, ["generate", language, "hostile.yaml", "--output", file] + options, in: folder)
      try #require(generated.code == 0, "\(generated.error)")
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      // In place of the module.
      let stub = """
        public enum UnderstudyTesting {
          public struct Cell { public init(operation: String, status: Int, key: String? = nil, meaning: String? = nil) {} }
        }
        """
      try text.replacing("public import UnderstudyTesting", with: stub)
        .write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
      let checked = try Command.run("/usr/bin/env", command, in: folder)
      #expect(checked.code == 0, "\(checked.output)\(checked.error)\n\(text)")
    }
  }

  @Test func `names and comments of a contract cannot break the Swift`() throws {
    try Self.check("swift", "Statuses.swift", ["swiftc", "-typecheck", "Statuses.swift"], "--cells")
  }

  @Test(.enabled(if: hasTool("tsc", "--version"), "skipped: no tsc"))
  func `names and comments of a contract cannot break the TypeScript`() throws {
    try Self.check("typescript", "statuses.ts", ["tsc", "--noEmit", "--strict", "statuses.ts"])
  }

  @Test(.enabled(if: hasTool("kotlinc", "-version"), "skipped: no kotlinc"))
  func `names and comments of a contract cannot break the Kotlin`() throws {
    try Self.check("kotlin", "Statuses.kt", ["kotlinc", "Statuses.kt", "-d", "out"])
  }

  private static func hasTool(_ name: String, _ argument: String) -> Bool {
    (try? Command.run("/usr/bin/env", [name, argument]))?.code == 0
  }

  @Test(
    .enabled(if: hasTool("tsc", "--version"), "skipped: no tsc"), arguments: ["specs/slp.yaml", "specs/petstore.yaml"])
  func `the TypeScript of a contract has a union without other numbers`(_ contract: String) throws {
    let text = try Command.run("generate", "typescript", contract).output
    let type = try #require(text.firstMatch(of: /export type (\w+)/)).1
    func check(_ use: String) throws -> Command.Result {
      try withProject(["statuses.ts": text, "use.ts": "import { \(type) } from \"./statuses\";\n\(use)\n"]) { folder in
        try Command.run("/usr/bin/env", ["tsc", "--noEmit", "--strict", "use.ts"], in: folder)
      }
    }
    let right = try check("export const status: \(type) = 200;")
    #expect(right.code == 0, "\(right.output)")
    let wrong = try check("export const status: \(type) = 299;")
    #expect(wrong.code != 0 && wrong.output.contains("Type '299' is not assignable"), "\(wrong.output)")
  }

  @Test(.enabled(if: hasTool("kotlinc", "-version"), "skipped: no kotlinc"))
  func `the Kotlin of a contract compiles`() throws {
    let text = try Command.run("generate", "kotlin", "specs/slp.yaml", "--package", "com.example").output
    try withProject(["Statuses.kt": text]) { folder in
      let result = try Command.run("/usr/bin/env", ["kotlinc", "Statuses.kt", "-d", "out"], in: folder)
      #expect(result.code == 0, "\(result.error)")
    }
  }

  @Test(arguments: [
    (["swfit", "shop.yaml"], "swfit"), (["kotlin", "shop.yaml", "--cells"], "`--cells` is for swift"),
    (["swift", "shop.yaml", "--package", "a"], "`--package` is for kotlin"),
  ])
  func `wrong arguments are refused`(_ arguments: [String], _ message: String) throws {
    try withProject(Shop.files) { folder in
      let result = try Command.run(Command.path, ["generate"] + arguments, in: folder)
      #expect(result.code == 2 && result.error.contains(message), "\(result)")
    }
  }
}
