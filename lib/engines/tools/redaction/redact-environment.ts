import { isSecretName, REDACTED, redactText } from '@/lib/kernel/redaction/redact-text'
import { carefulReason } from './careful-reason'
import { isHarmless } from './harmless-variables'
import { hideKnown, knownSecrets } from './known-secrets'

const MAX_VARIABLES = 1_000
const MAX_NAME = 200
const MAX_VALUE = 2_000

type Line = { name: string; value: string }

/**
 * The environment for a model's eyes, sorted by name. `careful` shows plain settings only; `raw` shows everything
 * but secrets. In both, a variable with a secret-sounding name never shows its value, nor does that value appear
 * inside another variable; an empty value is no secret and says that the variable is set but empty (SPEC B).
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
