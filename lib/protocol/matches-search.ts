/** Whether every word of the search stands in one of the texts. Small and capital letters count as the same. */
export function matchesSearch(
  search: string | undefined,
  texts: readonly (string | null | undefined)[],
): boolean {
  const text = texts.join(' ').toLowerCase()
  const words = (search ?? '').toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}
