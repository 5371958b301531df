/** Returns whether every word of the search is in one of the texts. Case does not matter. */
export function matchesSearch(
  search: string | undefined,
  texts: readonly (string | null | undefined)[],
): boolean {
  const text = texts.join(' ').toLowerCase()
  const words = (search ?? '').toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}
