/** Returns false for text that PostgreSQL cannot store: NUL in any text, half a surrogate pair in JSON. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
