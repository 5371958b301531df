/**
 * A word of a prompt, a text in quotation marks, or an object written as JSON. `text` is without the marks and without the
 * punctuation around a word; `start` and `end` say where it stands in the prompt, with its marks. `endsSentence`: a full stop, a
 * semicolon or a line break follows.
 */
export type Token = {
  kind: 'word' | 'quoted' | 'object'
  text: string
  start: number
  end: number
  endsSentence: boolean
}

const closingMarks: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“',
  '«': '»',
  '`': '`',
  "'": "'",
}

/** Returns the words, quoted texts and JSON objects of a prompt, in their order. */
export function tokensOf(prompt: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < prompt.length) {
    const found = /\S/.exec(prompt.slice(at, at + 1)) ? tokenAt(prompt, at) : null
    if (prompt[at] === '\n') endSentence(tokens)
    if (found?.token) tokens.push(found.token)
    if (found?.endsSentence) endSentence(tokens)
    at = found?.next ?? at + 1
  }
  return tokens
}

function endSentence(tokens: Token[]): void {
  const last = tokens.at(-1)
  if (last) last.endsSentence = true
}

/** `next`: where to go on. `token` null = it is punctuation. */
type Found = { token: Token | null; endsSentence: boolean; next: number }

function tokenAt(prompt: string, at: number): Found {
  const mark = prompt.charAt(at)
  const end = mark === '{' ? endOfObject(prompt, at) : endOfQuote(prompt, at, closingMarks[mark])
  if (end === null) return wordAt(prompt, at)
  const isObject = mark === '{'
  const text = isObject ? prompt.slice(at, end) : prompt.slice(at + 1, end - 1)
  const token = { text, start: at, end, endsSentence: false }
  return {
    token: { kind: isObject ? 'object' : 'quoted', ...token },
    endsSentence: false,
    next: end,
  }
}

function endOfQuote(prompt: string, at: number, closing: string | undefined): number | null {
  if (closing === undefined) return null
  const end = prompt.indexOf(closing, at + 1)
  return end === -1 ? null : end + 1
}

/** Returns where a JSON object ends that begins here; null = it has no end. */
function endOfObject(prompt: string, at: number): number | null {
  let depth = 0
  let isText = false
  for (let each = at; each < prompt.length; each += 1) {
    const character = prompt[each]
    if (isText && character === '\\') each += 1
    else if (character === '"') isText = !isText
    else if (!isText && character === '{') depth += 1
    else if (!isText && character === '}' && --depth === 0) return each + 1
  }
  return null
}

const longestIndent = 20
const bullet = /^(?:[-*•]|\d{1,2}[.)])$/

function wordAt(prompt: string, at: number): Found {
  let next = at
  while (next < prompt.length && !/\s/.test(prompt.charAt(next))) next += 1
  const raw = prompt.slice(at, next)
  const beginsLine = /^\s*$|\n[ \t]*$/.test(prompt.slice(Math.max(0, at - longestIndent), at))
  if (beginsLine && bullet.test(raw)) return { token: null, endsSentence: false, next }
  // A quoted text may stand within, as in name="a b".
  const inner = /^[\w-]+[=:](?=["“`'{])/.exec(raw)
  if (inner) next = at + inner[0].length
  const whole = inner ? inner[0] : raw
  const opening = /^[([]*/.exec(whole)?.[0].length ?? 0
  const text = whole.slice(opening).replace(/[.,;!?)\]]+$/, '')
  const token = { text, start: at + opening, end: at + opening + text.length, endsSentence: false }
  return {
    token: text === '' ? null : { kind: 'word', ...token },
    endsSentence: /[.;!?][)\]]*$/.test(whole),
    next,
  }
}
