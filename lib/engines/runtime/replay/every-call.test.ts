import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { nothingRevoked, type Subject } from '@/lib/engines/runtime/policy/subject'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { anyArguments, anyPolicy } from '@/tests/support/any-policy'
import { anyTool } from '@/tests/support/any-subject'
import { approved, decides, untouchable } from '@/tests/support/recorded-run'
import {
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  toolMap,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import type { Decided } from './differences'
import { replayRun } from './replay-run'

const snapshot = runSnapshot({
  targets: [modelTarget({ trustZone: 'local' })],
  maxRounds: 20,
})

const anyRounds = fc.array(
  fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'gone'), anyArguments), {
    minLength: 1,
    maxLength: 4,
  }),
  { minLength: 1, maxLength: 4 },
)

/** A policy whose rules look at no arguments, with a limit of calls in a run: what gates alone decide. */
const anyGates = fc
  .tuple(anyPolicy, fc.constantFrom(null, 1, 2))
  .map(([policy, perRun]): Subject => {
    const approvalRules = policy.approvalRules
      .filter(({ conditions }) => conditions.length === 0)
      .map((rule) => ({ ...rule, fourEyes: false }))
    const rates =
      perRun === null ? new Map() : new Map([['a', { perMinute: null, perRun, use: null }]])
    const without = { frozen: null, accounts: new Map(), revoked: nothingRevoked, fourEyes: false }
    return { ...policy, ...without, approvalRules, rates }
  })

test('any journal, any policy: a replay says of each call what the gates say', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(anyTool, anyRounds, anyGates, anyGates, async (tool, rounds, then, now) => {
      const tools = toolMap(
        tool,
        testTool('b', { group: 'other' }),
        testTool('c', { trusted: true }),
      )
      const run = runFixture({
        script: [...rounds.map((calls) => asks(...calls)), says('Done.')],
        tools: [...tools.values()],
        subject: then,
        deps: decides(approved),
      })
      await runAgent(runInput({ snapshot }), run.deps)
      const { after } = await replayRun(
        { runId: 'run-1', events: run.events, nativeOf: run.journal.nativeOf },
        { subject: now, tools: untouchable(tools), snapshot, startsOf: () => [] },
      )
      const told = after.filter(({ place }) => place.type === 'call')
      expect(told).toHaveLength(rounds.flat().length)
      for (const [index, one] of told.entries()) {
        const expected = saidByGates(told.slice(0, index), one, { tools, subject: now })
        expect(one.key.replace('asked, ', '')).toMatch(expected.key)
        if (expected.words) expect(one.words).toContain(expected.words)
        seen.add(one.key)
      }
    }),
    { numRuns: 300 },
  )
  const often = ['ran', 'asked, ran', 'denied registered', 'denied rate', 'denied rule']
  expect([...seen]).toEqual(expect.arrayContaining(often))
  // The others are rarer; which of them come is chance.
  expect([...seen].filter((key) => key.startsWith('denied')).length).toBeGreaterThan(6)
})

type Policy = { tools: ReadonlyMap<string, ExecutableTool>; subject: Subject }

/** Returns what the gates say about a call after these, in the words of explain. */
function saidByGates(before: readonly Decided[], { place }: Decided, { tools, subject }: Policy) {
  if (place.type !== 'call') throw new Error('It is no call.')
  const placeOf = (one: Decided) => (one.place.type === 'call' ? one.place : place)
  const ran = before.filter(({ key }) => /^(?:asked, )?(?:ran|invalid|broke)$/.test(key))
  const reads = ran.flatMap((one) => {
    const { round, tool } = placeOf(one)
    const isRead = one.key.endsWith('ran') && round < place.round && tool !== 'c'
    return isRead ? [tool] : []
  })
  const inRun = ran.filter((one) => placeOf(one).tool === place.tool).length
  const limit = subject.rates.get(place.tool)
  const use = { inMinute: inRun, inRun, waitMs: null }
  const verdict = decideTool(tools.get(place.tool), {
    ...subject,
    untrustedReads: [...new Set(reads)],
    rates: limit ? new Map([[place.tool, { ...limit, use }]]) : subject.rates,
  })
  if (verdict.allowed) return { key: /^(?:ran|invalid|broke)$/, words: '' }
  const words = verdict.gate === 'registered' ? '' : verdict.reason
  return { key: new RegExp(`^denied ${verdict.gate}$`), words }
}
