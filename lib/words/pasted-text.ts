/** Kinds of text that are often pasted with more around them. */
export type Pasted = 'key' | 'base-url'

/** A longer text is none of these, and stays as it is: it is refused for its length. */
const longestKey = 20_000
const longestAddress = 2_000

const blank = /[\s\u200b-\u200d\u2060\ufeff]/
const quotes = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`|[“„]([^“”]*)[”“]|‘([^’]*)’)[,;]?$/
/** The name of a variable before a key. What follows is no "=", which may end a key. */
const variable =
  /^(?:export\s+|set\s+)?[A-Za-z]\w{0,60}(?:KEY|TOKEN|SECRET)\w{0,20}\s*=\s*(?=[^\s=])/i

/** Returns a key without blanks, quotes and the name of a variable around it. The JSON of a key file stays as it is. */
export function cleanKey(text: string): string {
  if (text.length > longestKey) return text
  let key = withoutBlanks(text)
  for (let before = ''; before !== key; ) {
    before = key
    const [, ...inside] = quotes.exec(key) ?? []
    key = withoutBlanks((inside.find((part) => part !== undefined) ?? key).replace(variable, ''))
  }
  return key
}

/** Returns a text without the blanks around it, in one pass: an expression tries each blank within the text as well. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && blank.test(text.charAt(start))) start++
  while (end > start && blank.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** A path of a request below the base URL, no host of such a name; only the base URL of Azure AI model inference ends so. */
const requestPath =
  /(?<!:\/|\.services\.ai\.azure\.com)\/(?:models|chat\/completions|completions|responses|messages|embeddings)$/i

/** Returns a base URL without slashes and the path of a request at its end. */
export function cleanBaseUrl(text: string): string {
  if (text.length > longestAddress) return text
  return text.trim().replace(/\/+$/, '').replace(requestPath, '').replace(/\/+$/, '')
}

/** Returns what is left out of a pasted text, as a sentence; null = nothing, or nothing that needs saying. */
export function pastedWords(kind: Pasted, text: string): string | null {
  if (kind === 'base-url') {
    if (text.length > longestAddress) return null
    const address = cleanBaseUrl(text)
    const left = text.trim().replace(/\/+$/, '').slice(address.length)
    return left === '' ? null : `Without "${left}" at its end, which requests add by themselves.`
  }
  return cleanKey(text) === text.trim()
    ? null
    : 'Only the key itself is stored, without the quotes, blanks or name around it.'
}
