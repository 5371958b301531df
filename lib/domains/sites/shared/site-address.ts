import { z } from 'zod'
import { parseWebAddress } from '@/lib/domains/hosts/shared/web-origin'

/** Rounds of unescaping a path, to see how a server may read it. */
const mostUnescaped = 3

/**
 * Returns whether a page belongs to a site: it has the same scheme, host and port, and its path is that of the start page or below
 * it, compared part by part. A path that servers read in more than one way belongs to none.
 */
export function isOfSite(start: URL, page: URL): boolean {
  if (start.origin !== page.origin) return false
  const [above, below] = [partsOf(start), partsOf(page)]
  return above !== null && below !== null && above.every((part, at) => part === below[at])
}

/** Returns the parts of a path, without escapes of ASCII; null = it is read in more than one way. */
function partsOf({ pathname }: URL): string[] | null {
  const parts = pathname.split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  return parts.some(isMisleading) ? null : parts.map(unescaped)
}

function unescaped(part: string): string {
  return part.replace(/%[0-9a-f]{2}/gi, (written) => {
    const code = Number.parseInt(written.slice(1), 16)
    return code < 128 ? String.fromCharCode(code) : written.toUpperCase()
  })
}

/** Returns whether some servers take a part of a path for a way upwards, or find separators in it. */
function isMisleading(part: string): boolean {
  let plain = part
  for (let round = 0; round <= mostUnescaped; round++) {
    if (/[/\\\p{Cc}]/u.test(plain) || /^\.{1,2}(?:;|$)/.test(plain)) return true
    const next = unescaped(plain)
    if (next === plain) return false
    plain = next
  }
  return true
}

const mostCharacters = 1_000

/** Returns what is wrong with an address of a site; null = nothing. */
function refusalOf(text: string): string | null {
  const parsed = parseWebAddress(text)
  if ('refusal' in parsed) return `${parsed.refusal} Enter one such as https://example.org/docs/.`
  return partsOf(parsed.url) === null ? 'Its path is read in more than one way.' : null
}

function inOneForm(text: string): string {
  const parsed = parseWebAddress(text)
  return 'url' in parsed ? parsed.url.href : text
}

/** An address in its one form: host in lower case and punycode, the path without dots, no fragment. */
export const PageAddress = z
  .string()
  .trim()
  .max(mostCharacters, 'An address has at most 1,000 characters.')
  .overwrite(inOneForm)
  .superRefine((text, issues) => {
    const message = refusalOf(text)
    if (message !== null) issues.addIssue({ code: 'custom', message })
  })

/** The address of the start page of a site. */
export const SiteAddress = PageAddress.refine(
  (text) => !text.includes('?'),
  'Leave out the part from ? on.',
)
