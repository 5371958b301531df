import { isSecretName, REDACTED, redactText } from '@/lib/kernel/redaction/redact-text'
import { isHarmless } from './harmless-variables'

/** Shorter values stand in too much ordinary text to be looked for in it. */
const MIN_LENGTH = 6

type Environment = Record<string, string | undefined>

/** Values that must not appear anywhere: those of secret variables, and passwords inside addresses. Longest first. */
export function knownSecrets(environment: Environment): string[] {
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
export function hideKnown(text: string, secrets: readonly string[], mark: string): string {
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

/** A command line without secrets: `--token x`, `--token=x`, known secrets and what looks like one are hidden. */
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
