import { z } from 'zod'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { type DecodedText, encodingWords, undecodedParts } from '@/lib/protocol/files/decode-text'
import type { LeftOut } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { defineTool } from '../define-tool'
import { redactedParts } from '../left-out'
import { logEntries } from '../log-entries'
import { pageSchema, pagesOf, requireSiteOf } from '../site-access'
import { type Probe, probeWeb } from '../web/probe-web'

const mostBytes = 2 * 1024
const mostHeader = 300
const mostEntries = 20
const aroundMs = 15_000

export default defineTool({
  name: 'probe_url',
  description:
    'Asks a page of a registered website once and returns how it answers: status, main headers, time to the first byte, when the ' +
    'certificate ends and the start of the body. Redirects are told, not followed. When the host fails (5xx), warnings and errors of the ' +
    "Toolgate server's own log of that half minute are added. Use it to find out why a page fails.",
  group: 'system',
  parameters: z.object({ url: pageSchema() }),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  dataClass: 'diagnostics',
  timeoutMs: 30_000,
  needs: 'site',
  limits: [
    '2 KB of the body and 15 seconds',
    'no redirects',
    `${mostEntries} entries of the log, from 15 seconds before to 15 seconds after`,
    '50 MiB and 20 hosts a run',
  ],
  example: { url: 'https://example.org/docs/' },
  execute: async ({ url }, { signal, actor, runId, resources }) => {
    const site = await requireSiteOf(resources, url)
    const startedAt = Date.now()
    const asker = { runId, person: actor.userId, web: resources.web, signal, reach: pagesOf(site) }
    const probe = await probeWeb(url, asker)
    const answer = { site: site.name, ...shown(probe) }
    if (probe.status < 500) return { content: answer, leftOut: leftOutOf(probe, answer) }
    const between = [new Date(startedAt - aroundMs), new Date(startedAt + aroundMs)] as const
    // One more than is shown says whether there are others.
    const found = await resources.readLogs({ level: 'warn', limit: mostEntries + 1, between })
    const lines = found.slice(0, mostEntries)
    const log = logEntries(lines)
    const others = {
      what: 'further entries of the log',
      why: `a call shows at most ${mostEntries}`,
    }
    return {
      content: { ...answer, log },
      leftOut: [
        ...leftOutOf(probe, answer),
        ...(found.length > mostEntries ? [others] : []),
        ...redactedParts(lines, log),
      ],
    }
  },
})

/** Returns a probe without what looks like a secret, with as much of its body as is shown. */
function shown({ body, headers, redirect, otherHeaders: _, ...facts }: Probe) {
  const said = Object.entries(headers).map(([name, value]) => [name, short(value)])
  return {
    ...facts,
    redirect: redirect === null ? null : short(redirect),
    headers: Object.fromEntries(said),
    ...(body.type === 'text' ? startOf(body.decoded) : { body: null }),
  }
}

/** Returns what a probe had and `answer` does not show. */
function leftOutOf(
  { otherHeaders, headers, redirect, body }: Probe,
  answer: ReturnType<typeof shown>,
): LeftOut[] {
  const values = [redirect, ...Object.values(headers)]
  const long = values.filter((value) => (value ?? '').length > mostHeader).length
  return [
    ...(otherHeaders > 0 ? [{ what: countOf(otherHeaders, 'header'), why: shownWords }] : []),
    ...(long > 0 ? [{ what: `the ends of ${countOf(long, 'value')}`, why: longWords }] : []),
    ...bodyLeftOut(body, answer.body),
    ...redactedParts([values, body.type === 'text' ? body.decoded.text : ''], answer),
  ]
}

function bodyLeftOut(body: Probe['body'], shownBody: string | null): LeftOut[] {
  if (body.type === 'none') return [{ what: 'the body', why: body.why }]
  const { decoded } = body
  const isLong = body.end === 'limit' || Buffer.byteLength(redacted(decoded.text)) > mostBytes
  const why = isLong ? 'a call shows at most 2 KB' : 'it broke off or took too long'
  return [
    ...(isLong || body.end === 'broken' ? [{ what: 'the rest of the body', why }] : []),
    ...undecodedParts(decoded.undecoded, shownBody ?? ''),
  ]
}

const shownWords = 'only those about content, caching and time are shown'
const longWords = `a header is shown up to ${mostHeader} characters`

function redacted(text: string): string {
  return redactText(text, { hashes: true })
}

function short(text: string): string {
  return redacted(text).slice(0, mostHeader).toWellFormed()
}

/** Returns as much of a body as is shown. A secret that its end cuts was whole when it was hidden. */
function startOf(decoded: DecodedText) {
  const bytes = Buffer.from(redacted(decoded.text)).subarray(0, mostBytes)
  const bodyEncoding = encodingWords(decoded)
  // A character that the end cuts is left out.
  const body = new TextDecoder().decode(bytes, { stream: true })
  return { body, ...(bodyEncoding !== null && { bodyEncoding }) }
}
