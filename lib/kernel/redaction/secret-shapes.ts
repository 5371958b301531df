import type { Span } from './text-view'

/**
 * Keys by the beginning their issuers give them; the lookbehind keeps words such as "task-1" whole. Nothing has to follow
 * the last part of a key, so a place where one may begin is looked at once.
 */
const issuedKey = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    // OpenAI, Anthropic, Stripe, Groq, xAI, Perplexity, NVIDIA, LangSmith, Tavily, Together
    '(?:sk|rk|pk|gsk|xai|pplx|nvapi|lsv2|tvly|tgp|tg|whsec)[-_][A-Za-z0-9_-]{8,}',
    // GitHub, GitLab
    '(?:gh[opsru]|github_pat)_[A-Za-z0-9_]{8,}',
    'gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{8,}',
    // Slack
    '(?:xox[a-z](?:\\.xox[a-z])?|xapp)-[A-Za-z0-9_-]{8,}',
    // Shopify, Sentry, DigitalOcean, Cloudflare
    '(?:shp(?:at|ss|ca|pa|tka)|sntry[su]|do[opr]_v1|cf(?:at|ut|k))[-_][A-Za-z0-9_+/=-]{8,}',
    'v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}',
    // Hugging Face, npm, Replicate, Fireworks, PyPI, RubyGems
    '(?:hf|api_org|npm|r8|fw|pypi|rubygems)[-_][A-Za-z0-9_-]{20,}',
    // Google
    'AIza[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\\.[A-Za-z0-9_.-]{10,}|1//0[A-Za-z0-9_-]{20,}',
    // AWS, SendGrid
    '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}|SG\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}',
    // Vault, Grafana, Linear, Notion, Postman, Atlassian, Docker, Supabase, PlanetScale, Figma, New Relic, Databricks, age
    '(?:hv[sbr]\\.|glsa_|glc_|lin_api_|ntn_|PMAK-|ATATT3x|dckr_pat_|sbp_|pscale_tkn_|figd_|NRAK-|dapi)[A-Za-z0-9_.=-]{20,}',
    'AGE-SECRET-KEY-1[A-Z0-9]{20,}',
  ].join('|')})`,
  'g',
)

/** Keys whose shape is known, and not how they begin: Telegram, Discord, Entra ID. */
const shapedKey = new RegExp(
  [
    '(?<!\\d)\\d{8,10}:A[A-Za-z0-9_-]{32,36}',
    '(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}',
    '[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}',
    '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]{2,}(?:\\.[A-Za-z0-9_-]*){0,3}',
  ].join('|'),
  'g',
)

/** Addresses to which whoever knows them can post: Slack, Discord. */
const secretAddress =
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{16,}|(?<=discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/)[\w-]{16,}/g

/** Words of few letters also begin names in code: `sk-loading-spinner`. */
const wordLike = /^[a-z]{2,4}[-_](?:[a-z_-]+|[A-Z_-]+)$/

/** Finds keys of known issuers and JWTs. `code`: names in code stay. */
export function findKeys(text: string, code: boolean): Span[] {
  const issued = spansOf(text, issuedKey).filter(
    ({ start, end }) => !code || !wordLike.test(text.slice(start, end)),
  )
  return [...issued, ...spansOf(text, shapedKey), ...spansOf(text, secretAddress)]
}

function spansOf(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) => {
    return { start: index, end: index + found.length }
  })
}

const scheme = /\b(?:Bearer|Basic|Digest|Negotiate)\s{1,5}([A-Za-z0-9._~+/=-]{6,})/gi

/** Finds what follows the name of a way to sign in: `Bearer abc.def-123`. */
export function findAuthorizations(text: string, code: boolean): Span[] {
  const spans: Span[] = []
  for (const { index, 0: found, 1: value = '' } of text.matchAll(scheme)) {
    const end = index + found.length
    if ((code ? /\d/ : /[A-Z0-9=+/._-]/).test(value)) spans.push({ start: end - value.length, end })
  }
  return spans
}

const authority = /:\/\/([^\s:/@"'<>]{0,256})([:@])/g
/** Names of variables in code: `${user}:${password}`. */
const placeholder = /^\$\{[\w.]{1,80}\}(?::\$\{[\w.]{1,80}\})?$/
const addressEnd = /[\s"'<>]/g

/**
 * Finds who signs in at an address, `user:password`. A password may hold unescaped slashes and question marks: everything
 * from the colon to the last @ counts. `code`: variables stay.
 */
export function findUserInfo(text: string, code: boolean): Span[] {
  const spans: Span[] = []
  let lastEnd = -1
  let lastAt = -1
  for (const { index, 0: found, 1: user = '', 2: sign } of text.matchAll(authority)) {
    const start = index + '://'.length
    if (start > lastEnd) {
      addressEnd.lastIndex = start
      lastEnd = addressEnd.exec(text)?.index ?? text.length
      const at = text.slice(start, lastEnd).lastIndexOf('@')
      lastAt = at === -1 ? -1 : start + at
    }
    const end = sign === '@' ? index + found.length - 1 : lastAt
    if (sign === '@' && (user === '' || /[?#]/.test(user))) continue
    if (end < index + found.length - 1) continue
    if (!code || !placeholder.test(text.slice(start, end))) spans.push({ start, end })
  }
  return spans
}

const pemBegin = /-----BEGIN[ +]?[A-Z0-9 +]{1,60}-----/g
const pemEnd = /-----END[ +]?[A-Z0-9 +]{1,60}-----/g
/** Lines as they stand in a PEM block, also where the block is written as one text. */
const pemBody =
  /(?:(?:\\[nr]|[\s"',\\])+(?:[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]+(?=[ \t]*(?:\\n|\r?\n|$))))*/y
const longestPem = 64 * 1024

/** Finds keys and certificates in PEM, also when their end is cut off. */
export function findPem(text: string): Span[] {
  const spans: Span[] = []
  const ends = Array.from(text.matchAll(pemEnd), ({ index, 0: line }) => {
    return { at: index, end: index + line.length }
  })
  let next = 0
  let until = 0
  for (const { index, 0: line } of text.matchAll(pemBegin)) {
    if (index < until) continue
    const body = index + line.length
    while (ends[next] && (ends[next]?.at ?? 0) < body) next += 1
    const last = ends[next]
    until = last && last.at - body <= longestPem ? last.end : bodyEnd(text, body)
    spans.push({ start: index, end: until })
  }
  return spans
}

function bodyEnd(text: string, body: number): number {
  pemBody.lastIndex = body
  return body + (pemBody.exec(text)?.[0].length ?? 0)
}
