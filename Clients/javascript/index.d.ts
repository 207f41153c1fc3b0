/** The path of the program `understudy`. Throws if this platform has no package, or if npm did not install it. */
export function program(): string;
