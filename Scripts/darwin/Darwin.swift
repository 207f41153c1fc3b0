// What Apple's overlay of the C library adds: macros and variadic functions, which Swift does not import. Only types count.
@_exported import Darwin

public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}

public var S_IFMT: mode_t { 0o170_000 }
public var S_IFBLK: mode_t { 0o060_000 }
public var S_IFDIR: mode_t { 0o040_000 }
public var S_IFREG: mode_t { 0o100_000 }
public var S_IFLNK: mode_t { 0o120_000 }
public var S_IFSOCK: mode_t { 0o140_000 }
public var S_IRUSR: mode_t { 0o400 }
public var S_IWUSR: mode_t { 0o200 }
public var S_IRGRP: mode_t { 0o040 }
public var S_IROTH: mode_t { 0o004 }

public var CLOCK_REALTIME: clockid_t { clockid_t(rawValue: 0) }
public var CLOCK_MONOTONIC: clockid_t { clockid_t(rawValue: 6) }

public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { 0 }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }
public func fcntl(_ descriptor: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer) -> Int32 { 0 }
public func ioctl(_ descriptor: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer) -> Int32 { 0 }
