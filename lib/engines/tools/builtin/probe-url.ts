import { z } from 'zod'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { encodingWords, undecodedParts } from '@/lib/protocol/decode-text'
import type { JsonValue } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'
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
    const asked = Date.now()
    const asker = { runId, person: actor.userId, web: resources.web, signal, reach: pagesOf(site) }
    const probe = await probeWeb(url, asker)
    const facts = shown(probe)
    const answer = { site: site.name, ...facts }
    const undecoded = probe.body.type === 'text' ? probe.body.decoded.undecoded : 0
    const leftOut = undecodedParts(undecoded, String(facts.body))
    if (probe.status < 500) return { content: answer, leftOut }
    const between = [new Date(asked - aroundMs), new Date(asked + aroundMs)] as const
    const lines = await resources.readLogs({ level: 'warn', limit: mostEntries, between })
    return { content: { ...answer, log: logEntries(lines.slice(0, mostEntries)) }, leftOut }
  },
})

/** Returns a probe without what looks like a secret. */
function shown({ body, headers, redirect, ...facts }: Probe): Record<string, JsonValue> {
  const said = Object.entries(headers).map(([name, value]) => [name, short(value)])
  return {
    ...facts,
    redirect: redirect === null ? null : short(redirect),
    headers: Object.fromEntries(said),
    ...(body.type === 'text' ? startOf(body) : { body: null, bodyNotShown: body.why }),
  }
}

function short(text: string): string {
  return redactText(text, { hashes: true }).slice(0, mostHeader).toWellFormed()
}

/** Returns as much of a body as is shown. A secret that its end cuts was whole when it was hidden. */
function startOf({ decoded, isCut }: Extract<Probe['body'], { type: 'text' }>) {
  const bytes = Buffer.from(redactText(decoded.text, { hashes: true }))
  const bodyEncoding = encodingWords(decoded)
  const isShort = bytes.length <= mostBytes
  const start = isShort ? bytes : bytes.subarray(0, mostBytes)
  return {
    // A character that the end cuts is left out.
    body: new TextDecoder().decode(start, { stream: true }),
    isBodyCut: isCut || !isShort,
    ...(bodyEncoding !== null && { bodyEncoding }),
  }
}
