/** Returns a clock that moves on by a second each time it is read. */
export function tickingFrom(at: number): DateConstructor {
  let ticks = 0
  return class extends Date {
    constructor(...values: number[]) {
      // Years with months and days pass as well, whatever the type says.
      super(...((values.length > 0 ? values : [at + 1_000 * ticks++]) as [number]))
    }

    static override now() {
      return at + 1_000 * ticks++
    }
  } as DateConstructor
}
