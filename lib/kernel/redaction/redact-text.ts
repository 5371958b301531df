export const REDACTED = '[redacted]'

/** Keys by the beginning their issuers give them; the lookbehind keeps words such as "task-1" whole. */
const issuedKey =
  /(?<![A-Za-z0-9])(?:(?:sk|rk|pk|gsk|xai|pplx|glpat|gh[opsru]|github_pat|xox[a-z]|nvapi|lsv2|sntrys|shp(?:at|ss|ca|pa)|tvly|tg)[-_][A-Za-z0-9_-]{8,}|(?:hf|npm|r8|fw|pypi|dop_v1)[-_][A-Za-z0-9]{20,}|AIza[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_.-]{10,}|(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}|SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})/g

const pem = /-----BEGIN [A-Z0-9 ]{1,60}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,60}-----|$)/g
const jwt = /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{5,4000}\.[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]*)?/g
/** A password may hold unescaped slashes and question marks: everything from the colon to the last @ counts. */
const userInfo = /:\/\/(?:[^\s:/@"'<>]{0,256}:[^\s"'<>]{0,1024}@|[^\s/?#@"'<>]{1,1024}@)/g
const authorization =
  /\b(Bearer|Basic|Digest|Negotiate)\s{1,5}(?=[^\s"',]*[A-Z0-9=+/._-])[A-Za-z0-9._~+/=-]{6,}/gi

/** Everything up to a space or a quote counts: a password may hold any other character. */
const assignment =
  /((?:passw(?:or)?d|passphrase|passcode|pwd|secret|token|(?:api|access|private|account|shared|signing|encryption|vault|master)[-_ ]?key|authorization|credentials?|session[-_]?id|signature)[\w-]{0,40})(\\?["'])?(\s{0,5}[:=]\s{0,5})(?:\\?"[^"]*"?|'[^']*'?|(?:(?:Bearer|Basic|Digest|Negotiate)\s{1,5})?[^\s"']+)/gi
const cookies = /(cookies?)(\\?["'])?(\s{0,5}[:=]\s{0,5})[^\r\n]+/gi
const flag =
  /(--?[\w-]{0,40}(?:pass|secret|token|key|credential|auth)[\w-]{0,40})\s+(?!-)("[^"]*"?|'[^']*'?|\S+)/gi

const longRun = /[A-Za-z0-9+/_=-]{32,}/g

/**
 * Replaces what looks like a secret by its own shape: issued keys (`sk-…`, `AKIA…`), PEM blocks, JWTs, user info in
 * addresses, authorization and cookie headers, `password=…`, `--token …`, and long random-looking runs. Text without
 * secrets comes back unchanged. Time grows linearly with the text. `hashes`: hexadecimal runs as long as those of Git and SHA-256 stay,
 * for text that is full of them.
 */
export function redactText(text: string, { hashes = false } = {}): string {
  return text
    .replace(pem, REDACTED)
    .replace(userInfo, `://${REDACTED}@`)
    .replace(jwt, REDACTED)
    .replace(issuedKey, REDACTED)
    .replace(authorization, `$1 ${REDACTED}`)
    .replace(assignment, (whole: string, name: string, quote: string | undefined, sign: string) =>
      isCount(whole) ? whole : `${name}${quote ?? ''}${sign}${REDACTED}`,
    )
    .replace(cookies, `$1$2$3${REDACTED}`)
    .replace(flag, `$1 ${REDACTED}`)
    .replace(longRun, (run) => (isRandomRun(run) && !(hashes && isHash(run)) ? REDACTED : run))
}

/** Returns whether the text counts something, such as `tokens: 1234`, and is no secret. */
function isCount(assigned: string): boolean {
  return /tokens["'\\]*\s*[:=]\s*\d{1,9}[.,;)}\]]{0,3}$/i.test(assigned)
}

/** Returns whether the text is as long as a hash of Git, or two with dots between them, and written like one. */
function isHash(run: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(run)
}

/**
 * Returns whether the text is hexadecimal, padded base64, or a segment between slashes that mixes digits and both
 * cases.
 */
function isRandomRun(run: string): boolean {
  if (/[0-9a-f]{32,}/i.test(run)) return true
  if (/^[A-Za-z0-9+/_-]{30,}={1,2}$/.test(run) && /\d/.test(run)) return true
  return run
    .split('/')
    .some(
      (part) => part.length >= 20 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part),
    )
}

/** Searched anywhere in the name, because a false alarm hides a harmless value, but a miss shows a secret. */
const secretPart =
  /KEY|TOKEN|SECRET|PASS|PWD|CRED|AUTH|COOKIE|PRIVATE|DSN|SESSION|SIGNATURE|SIGNING|SALT|BEARER|JWT|CERT|WEBHOOK|CRYPT|VAULT|LICEN[CS]E|CONN(?:ECTION)?_?STR/

/** Addresses of services that usually contain a password, and words that are too short to search inside others. */
const secretWhole =
  /(?:^|_)(?:PAT|PIN|OTP|TOTP|MFA|SAS|HMAC|PSK)(?:_|$)|(?:DATABASE|DB|PG|POSTGRES|POSTGRESQL|MYSQL|MARIADB|MSSQL|REDIS|MONGO|MONGODB|AMQP|RABBITMQ|SMTP|MAIL|LDAP|KAFKA|ELASTIC|CLICKHOUSE)_?(?:\w+_)?(?:URL|URI|CONN\w*)$/

/**
 * Returns whether a variable, field or header of this name has, or may have, a secret: `OPENAI_API_KEY`, `dbPassword`,
 * `x-api-key`.
 */
export function isSecretName(name: string): boolean {
  const flat = name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
  return (
    secretPart.test(flat) ||
    secretWhole.test(flat) ||
    secretPart.test(words) ||
    secretWhole.test(words)
  )
}
