import { expect } from 'vitest'
import type { CheckOutcome } from '@/lib/toolset/servers/check'
import type { Does, Script } from './script'

/** `npm run proof` sends all of it. */
export const full = process.env.TOOLGATE_FULL_PROOF === '1'

export const wires = ['stdio', 'http', 'events'] as const
export type Wire = (typeof wires)[number]

const mebibyte = 1024 * 1024
/** The suite sends a little more than may be, or enough of it. */
const size = full
  ? {
      large: 9 * mebibyte,
      zipped: 1024 * mebibyte,
      values: 1_000_000,
      parts: 20_000,
      message: 64 * 1024,
      tools: 100_000,
      patterns: 490,
    }
  : {
      large: mebibyte,
      zipped: 32 * mebibyte,
      values: 100_100,
      parts: 1_001,
      message: 100,
      tools: 1_001,
      patterns: 10,
    }
/** Outcome of a call without an answer. */
export const timedOut = { type: 'timed-out', timeoutMs: 1_000 }
const failed = (code: string, message: string) => ({
  type: 'failed',
  code: `server-${code}`,
  message: expect.stringContaining(message),
})
const ofHttp = (http: Extract<Does, { http: unknown }>['http'], outcome: unknown) =>
  ({ does: { http }, outcome, on: ['http'] }) satisfies Flood

export type Flood = {
  does: Does
  outcome: unknown
  /** API types for which the attack is possible; left out: all. */
  on?: readonly Wire[]
}

const answered = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'
/** Acts of a server in calls of its tools, by their names. */
const floods: Record<string, Flood> = {
  hangs: { does: { never: true }, outcome: timedOut },
  late: { does: { late: true }, outcome: timedOut },
  other: { does: { otherId: true }, outcome: timedOut, on: ['stdio', 'events'] },
  // A response that is no stream has the answer to its request, or none comes.
  stranger: {
    does: { otherId: true },
    outcome: failed('ended', 'ended its answer without a result. The call may have taken effect'),
    on: ['http'],
  },
  large: {
    does: { bytes: size.large },
    outcome: { type: 'ok', truncated: true, originalBytes: size.large },
  },
  gigabyte: { does: { bytes: 1024 * mebibyte }, outcome: failed('too-much', 'more than 10 MiB') },
  deep: { does: { deep: 100_000 }, outcome: failed('too-much', 'nested too deeply') },
  values: {
    does: { values: size.values },
    outcome: failed('too-much', 'more than 100\u202f000 values'),
  },
  parts: { does: { parts: size.parts }, outcome: failed('too-much', 'more than 1\u202f000 parts') },
  chatter: {
    does: { chatter: size.message },
    outcome: failed('too-much', 'more than it may'),
    on: ['stdio', 'events'],
  },
  exits: {
    does: { exit: 1 },
    outcome: failed('ended', 'The call may have taken effect and is not repeated.'),
  },
  // The rest of a stream could be asked for, if it had names for its events.
  breaks: {
    does: { http: { body: ': begun\n\n', breaks: true } },
    outcome: failed('ended', 'ended its answer without a result'),
    on: ['events'],
  },
  zipped: ofHttp(
    { headers: { 'content-encoding': 'gzip' }, zippedBytes: size.zipped },
    failed('too-much', 'more than 10 MiB'),
  ),
  short: ofHttp(
    { headers: { 'content-length': '10' }, body: answered },
    failed('not-mcp', 'does not answer as an MCP server does'),
  ),
  long: ofHttp({ headers: { 'content-length': '1000000' }, body: answered }, timedOut),
  cut: ofHttp(
    { headers: { 'content-length': '1000000' }, body: answered, breaks: true },
    failed('ended', 'broke the connection off'),
  ),
  away: ofHttp(
    { status: 307, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
    failed('not-mcp', 'answered 307'),
  ),
}
export const floodsOn = (wire: Wire) =>
  Object.entries(floods).filter(([, { on = wires }]) => on.includes(wire))

/** Acts of a server that is asked for its tools, and the result of its check. */
export const lists: [name: string, script: Partial<Script>, outcome: Partial<CheckOutcome>][] = [
  [
    'tools',
    { list: { count: size.tools } },
    { trouble: expect.stringContaining('more than'), tools: 0 },
  ],
  [
    'pages',
    { list: { endless: true } },
    { trouble: expect.stringContaining('100 pages'), tools: 0 },
  ],
  [
    'text',
    { list: { descriptionBytes: 11 * mebibyte } },
    { trouble: expect.stringContaining('more than 10 MiB'), tools: 0 },
  ],
  [
    'patterns',
    { list: { patterns: size.patterns } },
    { trouble: null, tools: 100, toReview: 100, problems: [] },
  ],
  [
    'words',
    { list: { descriptionBytes: 7 * mebibyte } },
    { trouble: null, tools: 0, problems: [expect.stringContaining('larger than 256 KiB')] },
  ],
]
