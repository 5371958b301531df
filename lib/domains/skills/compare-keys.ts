const first = ['name', 'description', 'allowed-tools']

/**
 * The order in which keys of a front matter are written and shown: those that mean something, then the others by
 * name. The database keeps JSON in an order of its own, so the order of the file is not to be had back.
 */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  return rank(a) - rank(b) || (a < b ? -1 : 1)
}

function rank(key: string): number {
  const at = first.indexOf(key)
  return at === -1 ? first.length : at
}
