// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same rules; each feature names the proposal that explains it.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
  .treatAllWarnings(as: .error),  // SE-0480
]

/// `make test` asks for an optimized schema engine: its tests have large and random inputs, and all others use it.
let engineSettings =
  settings + (Context.environment["UNDERSTUDY_OPTIMIZE_ENGINE"] == "1" ? [.unsafeFlags(["-O"])] : [])

let package = Package(
  name: "understudy",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "understudy", targets: ["UnderstudyCommand"]),
    .library(name: "JSONSchema", targets: ["JSONSchema"]),
    .library(name: "Understudy", targets: ["Understudy"]),
    .library(name: "UnderstudyServer", targets: ["UnderstudyServer"]),
    .library(name: "UnderstudyTesting", targets: ["UnderstudyTesting"]),
    .plugin(name: "UnderstudyPlugin", targets: ["UnderstudyPlugin"]),
    .plugin(name: "UnderstudyStatuses", targets: ["UnderstudyStatuses"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CCurl"),
    .target(name: "CThreads"),
    .target(name: "CProcess"),
    .target(name: "SourceText", swiftSettings: engineSettings),
    .target(
      name: "JSONSchema", dependencies: ["SourceText", "CLibYAML", "CPCRE2", "CThreads"],
      swiftSettings: engineSettings),
    .target(
      name: "Understudy",
      dependencies: [
        "SourceText", "JSONSchema", "CExpat", "CZlib", "CBrotli", "CProcess",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .target(
      name: "UnderstudyServer",
      dependencies: [
        "SourceText", "Understudy",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    // Only the program has the console: a test that depends on a server does not wait for it.
    .target(
      name: "ConsoleFiles", dependencies: ["UnderstudyServer"], resources: [.embedInCode("Web")],
      swiftSettings: settings),
    // Testing is a part of the toolchain, which finds it for libraries as well as for tests.
    .target(
      name: "UnderstudyTesting", dependencies: ["SourceText", "JSONSchema", "Understudy", "UnderstudyServer"],
      swiftSettings: settings),
    .executableTarget(
      name: "UnderstudyCommand",
      dependencies: [
        "ConsoleFiles", "CBrotli", "CCrypto", "CCurl", "CExpat", "CLibYAML", "CPCRE2", "CProcess", "CSQLite", "CZlib",
        "SourceText",
        "JSONSchema", "Understudy",
        "UnderstudyServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .plugin(
      name: "UnderstudyPlugin",
      capability: .command(
        intent: .custom(verb: "understudy", description: "Serve, verify and cover contracts with understudy"))),
    .plugin(name: "UnderstudyStatuses", capability: .buildTool()),
    .target(
      name: "TestSupport",
      dependencies: [
        "SourceText", "JSONSchema", "Understudy", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "Evidence",
      dependencies: [
        "CLibYAML", "SourceText", "JSONSchema", "Understudy", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/Evidence", swiftSettings: settings),
    .testTarget(name: "SourceTextTests", dependencies: ["SourceText", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "JSONSchemaTests", dependencies: ["SourceText", "JSONSchema", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "UnderstudyTests",
      dependencies: [
        "SourceText", "JSONSchema", "Understudy", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyServerTests",
      dependencies: [
        "ConsoleFiles", "SourceText", "Understudy", "UnderstudyServer", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyTestingTests",
      dependencies: [
        "UnderstudyTesting", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyCommandTests",
      dependencies: [
        "CCrypto", "SourceText", "JSONSchema", "Understudy", "UnderstudyCommand", "TestSupport",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: settings),
  ]
)

// libFuzzer brings its own `main`, so the fuzz target links only where `Benchmarks/fuzz` asks for it.
if Context.environment["UNDERSTUDY_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "SourceText", "JSONSchema", "Understudy", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/Fuzz", swiftSettings: settings))
}
