/** How many lists and objects may stand inside each other in a call's arguments. */
export const mostLevels = 64

const quote = 34
const backslash = 92
const opening = new Set([91, 123])
const closing = new Set([93, 125])

/**
 * Whether JSON text is nested deeper than anything honest is. Told before it is parsed and in one look, for what walks
 * such a value afterwards (JSON.stringify, a schema) would run out of stack.
 */
export function nestedTooDeeply(json: string): boolean {
  let levels = 0
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) inText = !inText
    else if (inText) at += code === backslash ? 1 : 0
    else if (closing.has(code)) levels--
    else if (opening.has(code) && ++levels > mostLevels) return true
  }
  return false
}
