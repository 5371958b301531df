/** The fields that are there, and not undefined, in the order of `fields`. */
export function pick<T extends object, F extends keyof T>(
  from: T,
  fields: readonly F[],
): { [K in F]: T[K] } {
  const entries = fields.flatMap((field) =>
    from[field] === undefined ? [] : [[field, from[field]] as const],
  )
  // Every required field of T is there; the compiler does not follow Object.fromEntries.
  return Object.fromEntries(entries) as { [K in F]: T[K] }
}
