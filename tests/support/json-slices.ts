/** Returns the text of each field of a JSON object as written, without parsing and serialising it. */
export function fieldTexts(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const part of partsOf(text)) {
    const name = /^"(?:[^"\\]|\\.)*"/.exec(part)?.[0] ?? ''
    fields.set(JSON.parse(name), part.slice(name.length + 1))
  }
  return fields
}

/** Returns the text of each item of a JSON list as written. */
export function itemTexts(text: string): string[] {
  return partsOf(text)
}

/** Returns the texts between the commas of the outermost object or list. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 1
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g)) {
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    const isEnd = depth === 0 && index === text.length - 1
    if (!isEnd && !(token === ',' && depth === 1)) continue
    if (index > from) parts.push(text.slice(from, index))
    from = index + 1
  }
  return parts
}
