import type { Span } from './text-view'

const secretWords =
  'passw(?:or)?d|passphrase|passcode|pwd|secret|token|(?:api|app|application|access|private|account|shared|signing|encryption|vault|master|client|auth|license)[-_ ]?key|authorization|credentials?|session[-_]?id|signature|[-_]dsn'
const secretName = new RegExp(`(?:${secretWords})[\\w-]{0,40}$`, 'i')
const secretFlag = /pass|secret|token|key|credential|auth/i
const cookieName = /cookies?$/i

const sign = /[:=]/g
const longestName = 80
/** A value that begins with a quote and never ends ends here. */
const longestQuoted = 16 * 1024

/** Everything up to a space or a quote counts: a password may hold any other character. */
const plainValue = /(?:(?:Bearer|Basic|Digest|Negotiate)\s{1,5})?[^\s"']+/iy
const restOfLine = /[^\r\n]+/y

/**
 * Finds values beside a name that says that they are secret: `password=…`, `"api_key": "…"`, `--token …`, cookies.
 * `code`: only those that can be no code, as `token: string` is.
 */
export function findNamed(text: string, code: boolean): Span[] {
  return [...findAssigned(text, code), ...findFlagged(text, code)]
}

function findAssigned(text: string, code: boolean): Span[] {
  const spans: Span[] = []
  sign.lastIndex = 0
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const value = assignedAt(text, match.index, code)
    if (value === null) continue
    spans.push(value)
    sign.lastIndex = Math.max(value.end, match.index + 1)
  }
  return spans
}

/** Returns the secret value after the sign at a place; null = there is none. */
function assignedAt(text: string, at: number, code: boolean): Span | null {
  const name = nameBefore(text, at)
  if (name === '') return null
  if (cookieName.test(name)) return cookiesAt(text, at + 1, code)
  if (!secretName.test(name)) return null
  if (code && /tokens$/i.test(name)) return null
  const start = at + 1 + spacesAt(text, at + 1, code)
  if (code && !isLiteral(text, start)) return null
  const end = valueEnd(text, start)
  return start === end || isCount(name, text.slice(start, end)) ? null : { start, end }
}

function cookiesAt(text: string, after: number, code: boolean): Span | null {
  const start = after + spacesAt(text, after, code)
  if (code && !/^[\w.-]{1,80}=[^=\s]{6}/.test(text.slice(start, start + 100))) return null
  restOfLine.lastIndex = start
  const value = restOfLine.exec(text)?.[0] ?? ''
  return value === '' ? null : { start, end: start + value.length }
}

const wordCharacter = /[\w-]/

/** Returns the name before a sign, with the word before it: "api key", `"password"`. */
function nameBefore(text: string, at: number): string {
  let end = at
  for (let count = 0; count < 5 && isSpace(text[end - 1]); count++) end -= 1
  if (/["'`]/.test(text[end - 1] ?? '')) end -= 1
  if (text[end - 1] === '\\') end -= 1
  let start = end
  let words = 0
  while (start > 0 && end - start < longestName) {
    const before = text[start - 1] ?? ''
    if (before === ' ' && words === 0 && start < end) words += 1
    else if (!wordCharacter.test(before)) break
    start -= 1
  }
  return text.slice(start, end)
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character)
}

/** Returns how many spaces follow, five at most. `code`: a value stands on the line of its name. */
function spacesAt(text: string, at: number, code: boolean): number {
  let count = 0
  while (count < 5 && isSpace(text[at + count]) && !(code && text[at + count] === '\n')) count += 1
  return count
}

function valueEnd(text: string, start: number): number {
  const escaped = text[start] === '\\' ? 1 : 0
  const quote = text[start + escaped]
  if (quote === '"' || (quote === "'" && escaped === 0)) {
    const close = text.indexOf(quote, start + escaped + 1)
    const last = Math.min(text.length, start + longestQuoted)
    return close === -1 || close > last ? last : close + 1
  }
  plainValue.lastIndex = start
  return start + (plainValue.exec(text)?.[0].length ?? 0)
}

/** Returns whether the value counts something, such as `tokens: 1234`, and is no secret. */
function isCount(name: string, value: string): boolean {
  return /tokens$/i.test(name) && /^\d{1,9}[.,;)}\]]{0,3}$/.test(value)
}

/** Signs that end a value in code, and signs that make it a name or a call. */
const codeSign = /[(){}[\]<>|`]|=>|\?\.|^[=.]|^!=/
const callSign = /^[([<?=.!]/

/** No more of a value in code is looked at to tell what it is. */
const longestJudged = 300

/**
 * Returns whether a value in code that begins at a place is one that is written there, and not a name, a call, a type or a
 * place for one.
 */
function isLiteral(text: string, start: number): boolean {
  const first = text.slice(start, start + longestJudged)
  const quoted = /^\\?(["'])([^"']*)/.exec(first)?.[2]
  if (quoted !== undefined) return isSecretLike(quoted.replace(/\\$/, ''))
  const value = /^[^\s"']*/.exec(first)?.[0] ?? ''
  const line = lineOf(text, { start, end: start + value.length })
  if (line === 'setting') return value.length >= 6 && !variable.test(value)
  const [head = ''] = value.split(codeSign, 1)
  if (callSign.test(value.slice(head.length))) return false
  if (isSecretLike(head)) return true
  if (line === 'entry') return /^(?:[a-z]{8,}|[a-z]+(?:-[a-z]+)+)$/.test(head)
  return head.length >= 8 && setting.test(text.slice(start - 2, start)) && !variable.test(head)
}

/** The end of the name of a variable, with its sign: no name in code stands so. */
const setting = /[A-Z0-9_]=$/

/** The name of a variable that has the value. */
const variable = /\$[{(]|^\$(?:[A-Z][A-Z0-9_]*|[A-Za-z_]+)$/

/** Returns whether a text has no spaces, and digits or signs among its letters. */
function isSecretLike(value: string): boolean {
  if (value.length < 6 || /\s|^[<{%[]|\(\)/.test(value) || variable.test(value)) return false
  if (/\d/.test(value)) return /[A-Za-z]/.test(value) || value.length >= 12
  return /.[!$*@#%^&~]/.test(value)
}

/** Returns what a line is that has a name and its value, and nothing else: `NAME=value` or `name: value`. */
function lineOf(text: string, { start, end }: Span): 'setting' | 'entry' | null {
  const around = text.slice(Math.max(0, start - longestName * 2), start)
  const before = around.slice(around.lastIndexOf('\n') + 1)
  const isWhole = before.length < around.length || start === around.length
  if (!isWhole || !/^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40))) return null
  if (/^[ \t]*(?:export )?[A-Z][A-Z0-9_]*=$/.test(before)) return 'setting'
  return /^[ \t]*(?:- )?["']?[\w.-]+["']?[ \t]*[:=][ \t]*$/.test(before) ? 'entry' : null
}

const flag = /(?<![\w-])--?([A-Za-z][\w-]{0,80})\s{1,5}/g
const flagValue = /(?!-)(?:"[^"\n]*"?|'[^'\n]*'?|\S+)/y

function findFlagged(text: string, code: boolean): Span[] {
  const spans: Span[] = []
  for (const { index, 0: found, 1: name = '' } of text.matchAll(flag)) {
    if (!secretFlag.test(name)) continue
    const start = index + found.length
    flagValue.lastIndex = start
    const value = flagValue.exec(text)?.[0] ?? ''
    if (value === '' || (code && !isSecretLike(value.replace(/^["']|["']$/g, '')))) continue
    spans.push({ start, end: start + value.length })
  }
  return spans
}
