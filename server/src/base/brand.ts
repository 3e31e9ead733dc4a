declare const brand: unique symbol

/** A value that has been parsed as `Name`; the plain value is not assignable to it. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name }
