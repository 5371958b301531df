const shownCharacters = 80

/** Text as the cell of a table: one line, at most 80 characters of it. */
export function cutLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters).toWellFormed()}…` : line
}
