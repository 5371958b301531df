import { REDACTED, redactText } from '@/lib/kernel/redaction/redact-text'
import { isSecretName } from '@/lib/kernel/redaction/secret-name'
import { hideKnown, knownSecrets } from './known-secrets'

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
