// swift-tools-version: 6.2
import PackageDescription

/// Tests and CI treat warnings as errors (SE-0480). Xcode compiles the packages of an app with `-suppress-warnings`, which
/// the compiler does not accept together with `-warnings-as-errors`.
let isStrict = Context.environment["UNDERSTUDY_STRICT"] == "1"

/// Every target is held to the same rules; each feature names the proposal that explains it.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

/// Which modules are optimized, where a Makefile asks for another choice than the configuration's. SwiftPM knows that per
/// target only as unsafe flags, which a package that depends on this one does not accept.
let optimized = Context.environment["UNDERSTUDY_OPTIMIZE"]

/// `make test` optimizes the schema engine, on which most tests rest. The other modules take longer to optimize than their
/// tests gain. `make serve` optimizes it for size, like the code that answers requests: a tenth less processor time to build,
/// and 2 % more to lint 4 MB.
let engineSettings =
  settings
  + (optimized == "engine" ? [.unsafeFlags(["-O"])] : optimized == "server" ? [.unsafeFlags(["-Osize"])] : [])

/// `make serve` optimizes the code that answers requests for size, on which `verify` and `record` rest as well: a tenth less
/// processor time than for speed. `understudy --version --verbose` names the choice.
let serverSettings = settings + (optimized == "server" ? [.unsafeFlags(["-Osize"])] : [])

/// The rest takes longer to optimize than a user of `make serve` gains.
let coldSettings =
  settings + (optimized == "server" ? [.unsafeFlags(["-Onone"]), .define("SERVER_OPTIMIZED")] : [])

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"]))
let nioHTTP2 = Target.Dependency.product(
  name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["TLS"]))
let nioHPACK = Target.Dependency.product(
  name: "NIOHPACK", package: "swift-nio-http2", condition: .when(traits: ["TLS"]))
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["TLS"]))

/// A C library. The SDK of macOS has those without a formula of Homebrew; pkg-config would find another copy, or none.
func library(_ name: String, _ pkgConfig: String, apt: String, brew: String? = nil) -> Target {
  #if os(macOS)
  guard let brew else { return .systemLibrary(name: name) }
  return .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.brew([brew])])
  #else
  return .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
  #endif
}

// SwiftPM refuses two targets of one name in a build, so the name of each target contains that of the package.
let package = Package(
  name: "understudy",
  // Only UnderstudyClient is for iOS: the other libraries need C libraries that a simulator does not have.
  platforms: [.macOS(.v15), .iOS(.v16)],
  products: [
    .executable(name: "understudy", targets: ["UnderstudyCommand"]),
    .library(name: "UnderstudySchema", targets: ["UnderstudySchema"]),
    .library(name: "UnderstudyMock", targets: ["UnderstudyMock"]),
    .library(name: "UnderstudyServer", targets: ["UnderstudyServer"]),
    .library(name: "UnderstudyTesting", targets: ["UnderstudyTesting"]),
    .library(name: "UnderstudyVerification", targets: ["UnderstudyVerification"]),
    .library(name: "UnderstudyClient", targets: ["UnderstudyClient"]),
    .plugin(name: "UnderstudyPlugin", targets: ["UnderstudyPlugin"]),
    .plugin(name: "UnderstudyStatuses", targets: ["UnderstudyStatuses"]),
  ],
  traits: [
    .trait(
      name: "TLS",
      description:
        "Serve HTTPS and HTTP/2: fetches swift-nio-ssl and swift-nio-http2, and compiles BoringSSL for some minutes.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    library("CUnderstudyYAML", "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
    library("CUnderstudyPCRE2", "libpcre2-8", apt: "libpcre2-dev", brew: "pcre2"),
    library("CUnderstudyExpat", "expat", apt: "libexpat1-dev"),
    library("CUnderstudyZlib", "zlib", apt: "zlib1g-dev"),
    library("CUnderstudyBrotli", "libbrotlidec", apt: "libbrotli-dev", brew: "brotli"),
    library("CUnderstudyCrypto", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    library("CUnderstudySQLite", "sqlite3", apt: "libsqlite3-dev"),
    .target(name: "CUnderstudyCurl"),
    .target(name: "CUnderstudyPostgreSQL"),
    .target(name: "CUnderstudyThreads"),
    .target(name: "CUnderstudyProcess"),
    // Without dependencies, so that a client library may share it.
    .target(name: "UnderstudyJSON", swiftSettings: serverSettings),
    .target(name: "UnderstudySystem", swiftSettings: settings),
    .target(name: "UnderstudyText", dependencies: ["UnderstudySystem"], swiftSettings: engineSettings),
    .target(
      name: "UnderstudySchema",
      dependencies: [
        "UnderstudyJSON", "UnderstudySystem", "UnderstudyText", "CUnderstudyYAML", "CUnderstudyPCRE2",
        "CUnderstudyThreads",
      ],
      swiftSettings: engineSettings),
    .target(
      name: "UnderstudyContract", dependencies: ["UnderstudySystem", "UnderstudyText", "UnderstudySchema"],
      swiftSettings: serverSettings),
    // The comparison of two versions, which only `understudy diff` needs.
    .target(
      name: "UnderstudyDiff",
      dependencies: [
        "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "CUnderstudyThreads",
      ],
      swiftSettings: coldSettings),
    // The protocols of sockets and streams, as values without a socket.
    .target(
      name: "UnderstudySockets", dependencies: ["UnderstudyJSON", "UnderstudyText", "UnderstudySchema"],
      swiftSettings: serverSettings),
    // One request or response against a contract, without a mock.
    .target(
      name: "UnderstudyExchange",
      dependencies: [
        "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "UnderstudySockets",
        "CUnderstudyExpat", "CUnderstudyZlib", "CUnderstudyBrotli", httpTypes,
      ],
      swiftSettings: serverSettings),
    .target(
      name: "UnderstudyFixtures",
      dependencies: [
        "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "UnderstudySockets",
        "UnderstudyExchange", httpTypes,
      ],
      swiftSettings: serverSettings),
    .target(
      name: "UnderstudyMock",
      dependencies: [
        "UnderstudyJSON", "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract",
        "UnderstudySockets", "UnderstudyExchange", "UnderstudyFixtures", httpTypes,
      ],
      swiftSettings: serverSettings),
    .target(
      name: "UnderstudyReport",
      dependencies: [
        "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "UnderstudySockets",
        "UnderstudyExchange", "UnderstudyFixtures", "CUnderstudyProcess",
      ],
      swiftSettings: coldSettings),
    .target(
      name: "UnderstudyVerification",
      dependencies: [
        "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "UnderstudySockets",
        "UnderstudyExchange", "UnderstudyFixtures", "UnderstudyReport", httpTypes,
      ],
      swiftSettings: coldSettings),
    .target(
      name: "UnderstudyRecording",
      dependencies: [
        "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "UnderstudySockets",
        "UnderstudyExchange", "UnderstudyFixtures", "UnderstudyReport", "UnderstudyVerification", httpTypes,
      ],
      swiftSettings: coldSettings),
    // Files of other tools, which only `understudy import` reads.
    .target(
      name: "UnderstudyImport",
      dependencies: [
        "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "UnderstudyExchange", "UnderstudyFixtures",
        "UnderstudyRecording",
      ],
      swiftSettings: coldSettings),
    .target(
      name: "UnderstudyServer",
      dependencies: [
        "CUnderstudyThreads", "UnderstudyJSON", "UnderstudySystem", "UnderstudyText", "UnderstudySockets",
        "UnderstudyExchange", "UnderstudyFixtures", "UnderstudyMock", httpTypes,
        nioCore, nioPosix, nioHTTP1,
      ],
      swiftSettings: serverSettings),
    // Only the program has a store of lanes: a test that depends on a server links no SQLite.
    .target(
      name: "UnderstudyStore",
      dependencies: ["CUnderstudyPostgreSQL", "CUnderstudySQLite", "UnderstudySystem", "UnderstudyMock"],
      swiftSettings: coldSettings),
    // Only the program has the console: a test that depends on a server does not wait for it.
    .target(
      name: "UnderstudyConsole", dependencies: ["UnderstudyServer"], resources: [.embedInCode("Web")],
      swiftSettings: coldSettings),
    // Certificates are made without NIOSSL, so their tests need no trait; only a program with the trait has the rest.
    .target(
      name: "UnderstudyTLS",
      dependencies: [
        "CUnderstudyCrypto", "UnderstudySystem", "UnderstudyText", "UnderstudyServer", nioCore, nioHTTP1, nioHPACK,
        nioHTTP2, nioSSL, nioTLS,
      ],
      swiftSettings: settings),
    // Of Foundation alone, for tests in a simulator or on a device, whose mock is a process elsewhere.
    .target(name: "UnderstudyClient", dependencies: ["UnderstudyJSON"], swiftSettings: settings),
    // Testing is a part of the toolchain, which finds it for libraries as well as for tests.
    .target(
      name: "UnderstudyTesting",
      dependencies: [
        "UnderstudyClient",
        "UnderstudyJSON", "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract",
        "UnderstudySockets", "UnderstudyExchange", "UnderstudyFixtures", "UnderstudyMock", "UnderstudyReport",
        "UnderstudyServer", httpTypes,
        .target(name: "UnderstudyTLS", condition: .when(traits: ["TLS"])),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "UnderstudyCommand",
      dependencies: [
        "CUnderstudyBrotli", "CUnderstudyCrypto", "CUnderstudyCurl", "CUnderstudyExpat", "CUnderstudyYAML",
        "CUnderstudyPCRE2", "CUnderstudyProcess", "CUnderstudySQLite", "CUnderstudyZlib", "UnderstudyConsole",
        "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyContract", "UnderstudyDiff",
        "UnderstudyExchange", "UnderstudyFixtures", "UnderstudyMock", "UnderstudyReport", "UnderstudyVerification",
        "UnderstudyRecording", "UnderstudyImport", "UnderstudyServer", "UnderstudyStore", argumentParser, httpTypes,
        .target(name: "UnderstudyTLS", condition: .when(traits: ["TLS"])),
      ],
      swiftSettings: coldSettings),
    .plugin(
      name: "UnderstudyPlugin",
      capability: .command(
        intent: .custom(verb: "understudy", description: "Serve, verify and cover contracts with understudy"))),
    .plugin(name: "UnderstudyStatuses", capability: .buildTool()),
    .target(
      name: "UnderstudyTestSupport",
      dependencies: [
        "UnderstudySystem", "UnderstudyText", "UnderstudySchema", "UnderstudyExchange", "UnderstudyFixtures",
        "UnderstudyMock", "UnderstudyVerification", "UnderstudyRecording", httpTypes,
      ],
      path: "Tests/UnderstudyTestSupport", swiftSettings: settings),
    .executableTarget(
      name: "UnderstudyEvidence",
      dependencies: [
        "UnderstudySystem", "CUnderstudyYAML", "UnderstudyText", "UnderstudySchema", "UnderstudyExchange",
        "UnderstudyFixtures", "UnderstudyMock",
        "UnderstudyVerification", "UnderstudyRecording",
        "UnderstudyTestSupport", argumentParser, httpTypes,
      ],
      path: "Tests/UnderstudyEvidence", swiftSettings: settings),
    .testTarget(name: "UnderstudyJSONTests", dependencies: ["UnderstudyJSON"], swiftSettings: settings),
    .testTarget(
      name: "UnderstudyTextTests", dependencies: ["UnderstudyText", "UnderstudyTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "UnderstudySchemaTests", dependencies: ["UnderstudyText", "UnderstudySchema", "UnderstudyTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyContractTests",
      dependencies: ["UnderstudyContract", "UnderstudyTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "UnderstudyDiffTests", dependencies: ["UnderstudyDiff", "UnderstudyTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "UnderstudySocketsTests",
      dependencies: ["UnderstudyJSON", "UnderstudyText", "UnderstudySchema", "UnderstudySockets"],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyExchangeTests", dependencies: ["UnderstudyMock", "UnderstudyTestSupport", httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyFixturesTests", dependencies: ["UnderstudyMock", "UnderstudyTestSupport", httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyMockTests",
      dependencies: ["UnderstudyJSON", "UnderstudySockets", "UnderstudyMock", "UnderstudyTestSupport", httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyReportTests",
      dependencies: ["UnderstudyReport", "UnderstudyTestSupport", httpTypes], swiftSettings: settings),
    .testTarget(
      name: "UnderstudyVerificationTests",
      dependencies: ["UnderstudyMock", "UnderstudyVerification", "UnderstudyTestSupport", httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyRecordingTests",
      dependencies: ["UnderstudyCommand", "UnderstudyRecording", "UnderstudyTestSupport", httpTypes],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyImportTests", dependencies: ["UnderstudyImport", "UnderstudyMock", "UnderstudyTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyServerTests",
      dependencies: [
        "UnderstudySystem", "UnderstudyConsole", "UnderstudyServer", "UnderstudyTestSupport", httpTypes, nioCore,
        nioPosix,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyStoreTests",
      dependencies: ["UnderstudySystem", "UnderstudyMock", "UnderstudyStore", "UnderstudyTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyTLSTests",
      dependencies: [
        "CUnderstudyCrypto", "UnderstudyTLS", "UnderstudySystem", "UnderstudyServer", "UnderstudyMock",
        "UnderstudyTestSupport", httpTypes, nioCore,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyTestingTests",
      dependencies: ["UnderstudyTesting", "UnderstudyTestSupport", httpTypes, nioCore, nioPosix, nioHTTP1],
      swiftSettings: settings),
    .testTarget(
      name: "UnderstudyCommandTests",
      dependencies: ["CUnderstudyCrypto", "UnderstudyCommand", "UnderstudyTestSupport", httpTypes],
      swiftSettings: settings),
  ]
)

// libFuzzer brings its own `main`, so the fuzz target links only where `Benchmarks/fuzz` asks for it.
if Context.environment["UNDERSTUDY_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "UnderstudyFuzz", dependencies: ["UnderstudyVerification", "UnderstudyRecording", httpTypes],
      path: "Tests/UnderstudyFuzz", swiftSettings: settings))
}
