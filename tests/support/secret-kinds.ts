const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const digits = '0123456789'
const letters = lower + upper + digits
const word = `${letters}_-`
const hex = '0123456789abcdef'

/** Returns characters by chance. */
type Draw = (alphabet: string, length: number) => string

/** `secret` stands in `text` as it does in files and settings. */
type Example = { text: string; secret: string }

/** Returns a drawer that draws the same for the same seed. */
export function drawer(seed: number): Draw {
  let state = seed >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  return (alphabet, length) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
}

function alone(make: (draw: Draw) => string): (draw: Draw) => Example {
  return (draw) => {
    const secret = make(draw)
    return { text: secret, secret }
  }
}

function named(name: string, make: (draw: Draw) => string): (draw: Draw) => Example {
  return (draw) => {
    const secret = make(draw)
    return { text: `${name}=${secret}`, secret }
  }
}

function jwt(draw: Draw): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [part({ alg: 'HS256', typ: 'JWT' }), part({ sub: draw(lower, 12) }), draw(word, 43)].join(
    '.',
  )
}

function pem(draw: Draw): Example {
  const body = Array.from({ length: 5 }, () => draw(`${letters}+/`, 64)).join('\n')
  const secret = `${body}\n${draw(letters, 20)}==`
  const line = (which: string) => `-----${which} PRIVATE KEY-----`
  return { text: `${line('BEGIN')}\n${secret}\n${line('END')}`, secret }
}

/** Kinds of secrets, each put together here, so that no file holds one. */
export const secretKinds: Readonly<Record<string, (draw: Draw) => Example>> = {
  OpenAI: alone((draw) => `sk-${draw(letters, 48)}`),
  'OpenAI, project': alone((draw) => `sk-proj-${draw(word, 120)}A1`),
  Anthropic: alone((draw) => `sk-ant-api03-${draw(word, 93)}AA`),
  Google: alone((draw) => `AIza${draw(word, 34)}q`),
  'Google, OAuth': alone((draw) => `GOCSPX-${draw(word, 27)}q`),
  'AWS, id': alone((draw) => `AKIA${draw(upper, 16)}`),
  'AWS, secret': named('AWS_SECRET_ACCESS_KEY', (draw) => `${draw(`${letters}+/`, 39)}q`),
  'Azure, storage': named('AccountKey', (draw) => `${draw(`${letters}+/`, 86)}==`),
  'Entra ID': alone((draw) => `${draw(letters, 3)}8Q~${draw(word, 33)}q`),
  GitHub: alone((draw) => `ghp_${draw(letters, 36)}`),
  'GitHub, OAuth': alone((draw) => `gho_${draw(letters, 36)}`),
  'GitHub, user': alone((draw) => `ghu_${draw(letters, 36)}`),
  'GitHub, server': alone((draw) => `ghs_${draw(letters, 36)}`),
  'GitHub, refresh': alone((draw) => `ghr_${draw(letters, 36)}`),
  'GitHub, fine-grained': alone((draw) => `github_pat_${draw(letters, 22)}_${draw(letters, 59)}`),
  GitLab: alone((draw) => `glpat-${draw(word, 19)}q`),
  Slack: alone((draw) => `xoxb-${draw(digits, 12)}-${draw(digits, 12)}-${draw(letters, 24)}`),
  'Slack, app': alone((draw) => `xapp-1-A${draw(digits, 9)}-${draw(digits, 13)}-${draw(hex, 64)}`),
  Stripe: alone((draw) => `sk_live_${draw(letters, 24)}`),
  'Stripe, webhook': alone((draw) => `whsec_${draw(letters, 32)}`),
  SendGrid: alone((draw) => `SG.${draw(word, 22)}.${draw(word, 42)}q`),
  Twilio: named('TWILIO_AUTH_TOKEN', (draw) => draw(hex, 32)),
  npm: alone((draw) => `npm_${draw(letters, 36)}`),
  PyPI: alone((draw) => `pypi-AgEIcHlwaS5vcmc${draw(word, 100)}q`),
  'Hugging Face': alone((draw) => `hf_${draw(lower + upper, 34)}`),
  DigitalOcean: alone((draw) => `dop_v1_${draw(hex, 64)}`),
  Cloudflare: named('CLOUDFLARE_API_TOKEN', (draw) => `${draw(word, 39)}q`),
  Discord: alone((draw) => `M${draw(letters, 25)}.${draw(word, 6)}.${draw(word, 37)}q`),
  Telegram: alone((draw) => `7${draw(digits, 9)}:AA${draw(word, 32)}q`),
  Shopify: alone((draw) => `shpat_${draw(hex, 32)}`),
  Sentry: alone((draw) => `sntryu_${draw(hex, 64)}`),
  'Sentry, DSN': (draw) => {
    const secret = draw(hex, 32)
    return { text: `https://${secret}@o12345.ingest.sentry.io/67`, secret }
  },
  Datadog: named('DD_API_KEY', (draw) => draw(hex, 32)),
  'Datadog, application': named('DD_APP_KEY', (draw) => draw(hex, 40)),
  JWT: alone(jwt),
  PEM: pem,
  'PostgreSQL, password': (draw) => {
    const secret = draw(`${letters}!$*_-`, 20)
    return { text: `postgresql://app:${secret}@db.internal:5432/app`, secret }
  },
  'SQL Server, password': (draw) => {
    const secret = `${draw(`${letters}!$*_-`, 18)}7!`
    return { text: `Server=db;User Id=app;Password=${secret};Encrypt=true`, secret }
  },
}

function folded(text: string, width: number, between: string): string {
  return text
    .split('\n')
    .map((line) => (line.match(new RegExp(`.{1,${width}}`, 'g')) ?? ['']).join(between))
    .join('\n')
}

/** The text before a secret decides the positions of the folds. */
const before = 'The server says in its log that the deployment of today used this: '

/** Forms of a text with a secret. `also`: further text that must not come out, as the secret in that form. */
export const secretForms: Readonly<
  Record<string, (example: Example) => { text: string; also: string[] }>
> = {
  plain: ({ text }) => ({ text: `${before}${text} and it failed.`, also: [] }),
  'on a line': ({ text }) => ({ text: `It begins.\n${text}\nIt ends.`, also: [] }),
  base64: ({ text }) => {
    const also = Buffer.from(text).toString('base64')
    return { text: `${before}${also} and it failed.`, also: [also] }
  },
  'base64 for URLs': ({ text }) => {
    const also = Buffer.from(`note: ${text}`).toString('base64url')
    return { text: `see data/${also} there`, also: [also] }
  },
  'base64, folded': ({ text }) => {
    const also = Buffer.from(`${before}${text}`).toString('base64')
    return { text: folded(also, 76, '\n'), also: [also] }
  },
  'URL-encoded': ({ text, secret }) => ({
    text: `GET /x?next=${encodeURIComponent(text)}&page=2`,
    also: [encodeURIComponent(secret)],
  }),
  'every character URL-encoded': ({ text }) => ({ text: `GET /x?next=${percent(text)}`, also: [] }),
  'folded at 64': ({ text }) => ({ text: folded(`${before}${text}`, 64, '\n'), also: [] }),
  'folded at 76': ({ text }) => ({ text: folded(`${before}${text}`, 76, '\r\n'), also: [] }),
  'folded and indented': ({ text }) => ({
    text: folded(`${before}${text}`, 64, '\n    '),
    also: [],
  }),
  'folded, with backslashes': ({ text }) => ({
    text: folded(`value ${text}`, 24, '\\\n  '),
    also: [],
  }),
  'folded, with written line breaks': ({ text }) => {
    return { text: JSON.stringify(folded(`${before}${text}`, 64, '\n')), also: [] }
  },
  'a list of lines': ({ text }) => {
    const lines = folded(`${before}${text}`, 64, '\n').split('\n')
    return { text: JSON.stringify({ lines }), also: [] }
  },
  'an indented list of lines': ({ text }) => {
    const lines = folded(`${before}${text}`, 64, '\n').split('\n')
    return { text: JSON.stringify({ lines }, null, 2), also: [] }
  },
}

function percent(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

/**
 * Returns a part of a secret that a text shows, as it is or URL-encoded, of eight characters or more; null = it shows
 * none.
 */
export function shownPart(shown: string, secret: string): string | null {
  const flat = shown.replace(/[\r\n]/g, '')
  const decoded = flat.replace(/%([0-9a-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  for (let at = 0; at + 8 <= secret.length; at++) {
    const part = secret.slice(at, at + 8)
    if (!part.includes('\n') && (flat.includes(part) || decoded.includes(part))) return part
  }
  return null
}
