// The declarations of CoreServices and CoreFoundation that FolderEvents.swift uses, as Swift imports them from Apple's SDK.
public import Dispatch

public final class CFAllocator: Sendable {}
public final class CFString: Sendable {}
public final class CFArray: Sendable {}
public typealias CFIndex = Int
public struct CFArrayCallBacks: Sendable {}
public let kCFTypeArrayCallBacks = CFArrayCallBacks()
public enum CFStringBuiltInEncodings: UInt32 { case UTF8 = 0x0800_0100 }

public func CFStringCreateWithCString(
  _ allocator: CFAllocator?, _ text: UnsafePointer<CChar>?, _ encoding: UInt32
) -> CFString? { nil }
public func CFArrayCreate(
  _ allocator: CFAllocator?, _ values: UnsafeMutablePointer<UnsafeRawPointer?>?, _ count: CFIndex,
  _ callBacks: UnsafePointer<CFArrayCallBacks>?
) -> CFArray? { nil }

public typealias FSEventStreamRef = OpaquePointer
public typealias FSEventStreamCallback =
  @convention(c) (
    OpaquePointer, UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer, UnsafePointer<UInt32>, UnsafePointer<UInt64>
  ) -> Void
public struct FSEventStreamContext {
  public init(
    version: CFIndex, info: UnsafeMutableRawPointer?, retain: (@convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?)?,
    release: (@convention(c) (UnsafeRawPointer?) -> Void)?,
    copyDescription: (@convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?)?
  ) {}
}
public typealias FSEventStreamEventId = UInt64
public typealias FSEventStreamCreateFlags = UInt32
public typealias FSEventStreamEventFlags = UInt32
public var kFSEventStreamEventIdSinceNow: UInt { .max }
public var kFSEventStreamCreateFlagNoDefer: Int { 2 }
public var kFSEventStreamCreateFlagWatchRoot: Int { 4 }
public var kFSEventStreamCreateFlagFileEvents: Int { 0x10 }
public var kFSEventStreamEventFlagMustScanSubDirs: Int { 1 }
public var kFSEventStreamEventFlagRootChanged: Int { 0x20 }

public func FSEventStreamCreate(
  _ allocator: CFAllocator?, _ callback: FSEventStreamCallback, _ context: UnsafeMutablePointer<FSEventStreamContext>?,
  _ paths: CFArray, _ since: FSEventStreamEventId, _ latency: Double, _ flags: FSEventStreamCreateFlags
) -> FSEventStreamRef? { nil }
public func FSEventStreamStart(_ stream: FSEventStreamRef) -> Bool { false }
public func FSEventStreamStop(_ stream: FSEventStreamRef) {}
public func FSEventStreamInvalidate(_ stream: FSEventStreamRef) {}
public func FSEventStreamRelease(_ stream: FSEventStreamRef) {}
public func FSEventStreamSetDispatchQueue(_ stream: FSEventStreamRef, _ queue: DispatchQueue?) {}
