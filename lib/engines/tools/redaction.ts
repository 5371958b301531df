import { REDACTED, redactText } from '@/lib/kernel/redaction/redact-text'
import { isSecretName } from '@/lib/kernel/redaction/secret-name'
import type { LeftOut, ToolResult } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { notShown } from './left-out'

const path = /^(?:\/|[A-Za-z]:[\\/])[^\r\n]*$/
const flag = /^(?:true|false|yes|no|on|off|0|1)$/i
const plainUrl = /^https?:\/\/[a-z0-9.-]+(?::\d+)?\/?$/i

/** Variables whose name sounds secret and whose value is not, as long as it has the shape it should have. */
const harmless = new Map<string, RegExp>([
  ['PWD', path],
  ['OLDPWD', path],
  ['SSH_AUTH_SOCK', path],
  ['XAUTHORITY', path],
  ['AUTH_TRUST_HOST', flag],
  ['NEXTAUTH_URL', plainUrl],
  ['AUTH_URL', plainUrl],
  ['XDG_SESSION_ID', /^\w{1,6}$/],
  ['XDG_SESSION_TYPE', /^(?:x11|wayland|tty|mir|unspecified)$/],
  ['XDG_SESSION_CLASS', /^(?:user|greeter|background|lock-screen)$/],
])

function isHarmless(name: string, value: string): boolean {
  return harmless.get(name)?.test(value) ?? false
}

/** Shorter values stand in too much ordinary text to be looked for in it. */
const MIN_LENGTH = 6

type Environment = Record<string, string | undefined>

/**
 * Returns the values that must not appear anywhere: those of secret variables, and passwords inside addresses. Longest
 * first.
 */
function knownSecrets(environment: Environment): string[] {
  const secrets = new Set<string>()
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue
    if (isSecretName(name) && !isHarmless(name, value)) secrets.add(value)
    for (const password of passwords(value)) secrets.add(password)
  }
  return [...secrets]
    .filter((text) => text.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)
}

/** Replaces every known secret in the text, wherever it was copied to. */
function hideKnown(text: string, secrets: readonly string[], mark: string): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, mark), text)
}

function passwords(value: string): string[] {
  const found: string[] = []
  for (const match of value.matchAll(/:\/\/[^\s:/@]{0,256}:([^\s]{1,1024})@/g)) {
    const password = match[1] ?? ''
    found.push(password, decoded(password))
  }
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns a command line without secrets: `--token x`, `--token=x`, known secrets and what looks like one are hidden.
 */
export function redactArguments(
  argv: readonly string[],
  environment: Record<string, string | undefined>,
): string[] {
  const secrets = knownSecrets(environment)
  return argv.map((argument, index) => {
    if (isSecretFlag(argv[index - 1])) return REDACTED
    const assigned = /^(-{0,2}[^\s=]+)=/.exec(argument)
    if (assigned?.[1] !== undefined && isSecretName(assigned[1]))
      return `${assigned[1]}=${REDACTED}`
    return redactText(hideKnown(argument, secrets, REDACTED))
  })
}

function isSecretFlag(argument: string | undefined): boolean {
  return argument !== undefined && /^-{1,2}[^\s=]+$/.test(argument) && isSecretName(argument)
}

const MAX_PLAIN = 200

const personOrMachine =
  /^(?:USER|USERNAME|LOGNAME|MAIL|EMAIL|HOST|HOSTNAME|COMPUTERNAME|USERDOMAIN\w*|SUDO_\w+|SSH_\w+|(?:\w*_)?(?:CONTAINER|POD|NODE|MACHINE|INSTANCE|SERVER|CLUSTER|NAMESPACE)(?:_(?:NAME|ID))?|\w*_(?:EMAIL|USER|USERNAME|HOSTNAME|ADDR|IP))$/i
const email = /[^\s@]+@[^\s@]+\.[^\s@]+/
const address =
  /(?<![\d.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?:[0-9a-f]{1,4}:){3,}[0-9a-f:]{1,}/i
const scheme = /\b([a-z][a-z0-9+.-]{0,30}):\/\/([^\s/?#:,;]*)(?::\d+)?/gi
const pathStart = /(?:^|[\s:;=,"'(])(?:\/|~\/|\.\.?\/|[A-Za-z]:[\\/]|\\\\)/
const run = /[A-Za-z0-9+/_=-]{16,}/g

/** Returns why a value should not be shown to a model that only asked for settings; null when it is a plain setting. */
function carefulReason(name: string, value: string): string | null {
  if (redactText(value) !== value || (value.match(run) ?? []).some(looksRandom))
    return 'looks like a secret'
  if (/[^\P{C}\u200d]/u.test(value)) return 'not plain text'
  if (value.length > MAX_PLAIN) return `${value.length} characters long`
  if (personOrMachine.test(name) || email.test(value)) return 'names a person or a machine'
  if (address.test(value) || namesRemoteHost(value)) return 'an address'
  if (pathStart.test(value.replace(scheme, ''))) return 'a path'
  return null
}

/**
 * Returns whether the text is hexadecimal, or has at least four digits among letters: an id or a key rather than a
 * setting.
 */
function looksRandom(text: string): boolean {
  if (/[0-9a-f]{16,}/i.test(text) && /\d/.test(text)) return true
  return (text.match(/\d/g) ?? []).length >= 4 && /[A-Za-z]/.test(text)
}

function namesRemoteHost(value: string): boolean {
  return [...value.matchAll(scheme)].some(
    ([, , host = '']) => !['', 'localhost', '127.0.0.1', '0.0.0.0', '[::1]'].includes(host),
  )
}

const MAX_VARIABLES = 1_000
const MAX_NAME = 200
const MAX_VALUE = 2_000

type Line = { name: string; value: string }

/** Returns the environment as the result of a call, with how many values it hides, and why. */
export function environmentResult(
  environment: Environment,
  mode: 'careful' | 'raw',
): ToolResult & { leftOut: LeftOut[] } {
  const content = redactEnvironment(environment, mode)
  const total = Object.values(environment).filter((value) => value !== undefined).length
  const hidden = content.filter(({ value }) => value.includes(REDACTED.slice(0, -1))).length
  const cut = content.filter(({ value }) => valueCut.test(value)).length
  return {
    content,
    leftOut: [
      ...notShown(
        { shown: content.length, total },
        ['variable', 'variables'],
        `a call lists at most ${MAX_VARIABLES}`,
      ),
      ...(hidden > 0
        ? [
            {
              what: `values of ${countOf(hidden, 'variable')}`,
              why: 'each says its reason: [redacted: …]',
            },
          ]
        : []),
      ...(cut > 0
        ? [
            {
              what: `ends of ${countOf(cut, 'value')}`,
              why: `at most ${MAX_VALUE} characters are shown`,
            },
          ]
        : []),
    ],
  }
}

const valueCut = /… \[\d+ characters in all\]$/

/**
 * Returns the environment as a model may see it, sorted by name. `careful` shows only plain settings; `raw` shows
 * everything but secrets. In both, the value of a variable with a secret-sounding name is hidden, also inside other
 * variables. An empty value is no secret and shows that the variable is set but empty (SPEC B).
 */
export function redactEnvironment(
  environment: Record<string, string | undefined>,
  mode: 'careful' | 'raw',
): Line[] {
  const secrets = knownSecrets(environment)
  const show = mode === 'careful' ? carefulValue : rawValue
  return Object.entries(environment)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MAX_VARIABLES)
    .map(([name, value]) => ({ name: shownName(name, secrets), value: show(name, value, secrets) }))
}

function shownName(name: string, secrets: readonly string[]): string {
  return redactText(hideKnown(name, secrets, REDACTED)).slice(0, MAX_NAME)
}

function carefulValue(name: string, value: string, secrets: readonly string[]): string {
  if (value === '') return ''
  if (holdsSecret(name, value)) return '[redacted: its name says that it is a secret]'
  if (hideKnown(value, secrets, REDACTED) !== value) return '[redacted: holds a secret]'
  const reason = carefulReason(name, value)
  return reason === null ? value : `[redacted: ${reason}]`
}

function rawValue(name: string, value: string, secrets: readonly string[]): string {
  if (value === '') return ''
  if (holdsSecret(name, value)) return '[redacted: its name says that it is a secret]'
  const shown = redactText(hideKnown(value, secrets, REDACTED))
  return shown.length <= MAX_VALUE
    ? shown
    : `${shown.slice(0, MAX_VALUE)}… [${shown.length} characters in all]`
}

function holdsSecret(name: string, value: string): boolean {
  return isSecretName(name) && !isHarmless(name, value)
}
