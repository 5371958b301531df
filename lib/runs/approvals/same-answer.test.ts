import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ParsedArguments } from '@/lib/engines/runtime/call/execute-tool'
import { type Journal, planOffer } from '@/lib/engines/runtime/deps'
import { type ApprovalNote, noteWords } from '@/lib/engines/runtime/policy/approval-note'
import { rateDenial } from '@/lib/engines/runtime/policy/rate'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { whatCallMeets } from '@/lib/runs/start/try-tool'
import { explainTool } from '@/lib/toolset/policy/explain-tools'
import { anyArguments, anyPolicy } from '@/tests/support/any-policy'
import { anyTool } from '@/tests/support/any-subject'
import { eventsOf, runFixture, runInput, testTool } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

/** Returns what others wrote. */
const noticeBoard = testTool('b', { group: 'other' })

const Given = z.looseObject({ x: z.unknown().optional() })

/** Adds a value, says no, or fails. */
function parse(args: unknown): ParsedArguments {
  const given = Given.parse(args)
  if (given.x === 'throw') throw new Error('The parser of the tool is broken.')
  if (given.x === 'refuse') return { ok: false, issues: ['Not this one.'] }
  return { ok: true, args: { path: '/srv/default', ...given } }
}

/** Returns what a run is told: it counts what is used of a limit only where a call starts. */
function uncounted(subject: Subject): Subject {
  const rates = [...subject.rates].map(([name, rate]) => [name, { ...rate, use: null }] as const)
  return { ...subject, rates: new Map(rates) }
}

/** Lets a run call `b`, which reads what others wrote, and then `a`. */
async function runBoth(tool: ExecutableTool, argumentsText: string, subject: Subject) {
  const run = runFixture({
    script: [asks(['b', argumentsText]), asks(['a', argumentsText]), says('Done.')],
    tools: [noticeBoard, tool],
    subject: uncounted(subject),
  })
  const begin: Journal['begin'] = (start, decide) =>
    run.journal.begin(start, (now) => {
      const verdict = decide(now)
      const rate = start.type === 'call-start' && subject.rates.get(start.data.name)
      return (verdict.allowed && rate && rateDenial(rate)) || verdict
    })
  const { rounds, end } = await runAgent(runInput(), {
    ...run.deps,
    journal: { ...run.journal, begin },
  })
  const requests = eventsOf(run.events, 'approval-request').map(({ data }) => data)
  const notes = eventsOf(run.events, 'warning').map(({ data }) => data)
  const [start] = eventsOf(run.events, 'run-start')
  return { calls: rounds.flatMap(({ calls }) => calls), rounds, requests, notes, start, end }
}

type Ran = Awaited<ReturnType<typeof runBoth>>

function endOf(call: CallView) {
  if (call.state.type !== 'ended') throw new Error('The call has not ended.')
  return call.state
}

test('every way to ask about a call gives the gate and the sentence of the call itself', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(anyTool, anyPolicy, anyArguments, async (facts, subject, text) => {
      const tool = { ...facts, parse }
      const ran = await runBoth(tool, text, subject)
      if (subject.frozen) return expectFrozen({ tool, subject, ran })
      expect(ran.end?.reason).toBe('completed')
      const [first, second] = ran.calls
      if (!first || !second) throw new Error('A call is missing.')
      const hasRead = endOf(first).outcome.type === 'ok'
      const answers = [
        sameAnswer({ tool: noticeBoard, subject, call: first, ran, reads: [] }),
        sameAnswer({ tool, subject, call: second, ran, reads: hasRead ? ['b'] : [] }),
      ]
      for (const answer of answers) seen.set(answer, (seen.get(answer) ?? 0) + 1)
    }),
    { numRuns: 600 },
  )
  // Each way that a call can end was met, so that no branch above is only there to be read.
  const kinds = ['gate', 'flow', 'refuses', 'asks', 'asks after reads', 'rate', 'arguments', 'runs']
  expect([...seen.keys()].toSorted()).toEqual(kinds.toSorted())
})

/** Checks that a stopped site ended a run before its model was asked, so that no call is there to be refused. */
function expectFrozen({ tool, subject, ran }: Pick<Asked, 'tool' | 'subject' | 'ran'>): void {
  expect(ran.end?.reason).toBe('frozen')
  expect(ran.calls).toEqual([])
  const { verdict } = explainTool(tool, subject, { withConfiguration: true })
  expect(verdict).toMatchObject({ gate: expect.stringMatching(/^(frozen|registered)$/) })
}

type Asked = {
  tool: ExecutableTool
  subject: Subject
  call: CallView
  ran: Ran
  reads: readonly string[]
}

/** Compares what all say about a call, and returns what happened to it. */
function sameAnswer(input: Asked): string {
  const { tool, subject, call, ran } = input
  const withConfiguration = subject.configuration !== null
  const explained = explainTool(tool, subject, { withConfiguration })
  const tried = whatCallMeets(tool, call.argumentsText, { subject, withConfiguration })
  expect(tried).toMatchObject({ verdict: explained.verdict, gates: explained.answers })
  const { verdict } = explained
  if (verdict.allowed || verdict.gate === 'rate') return allowedByGates(input)

  const { name } = tool
  const no = { gate: verdict.gate, reason: verdict.reason }
  expect(endOf(call)).toMatchObject({ verdict: no, outcome: { type: 'denied', ...no } })
  const offer = planOffer(new Map([[name, tool]]), uncounted(subject))
  expect(offer.accepted).toEqual([])
  // The offer lists what was asked for, and a tool that was not picked is not.
  const isAskedFor = subject.selected?.has(name) ?? true
  const rejected = offer.rejected.filter((each) => each.name === name)
  expect(rejected).toMatchObject(isAskedFor ? [{ name, ...no }] : [])
  expect(ran.start?.data.rejected.filter((each) => each.name === name)).toEqual(rejected)
  expect(ran.rounds.flatMap(({ offered }) => offered)).not.toContain(name)
  expect(requestsFor(call, ran)).toEqual([])
  expect(tried.rules).toEqual([])
  return 'gate'
}

const requestsFor = ({ callId }: CallView, { requests }: Ran) =>
  requests.filter((each) => each.callId === callId)

/**
 * Compares what all say about a call that gates allow. Three things differ by design. The offer does not ask what is used of
 * a limit: it is counted where a call starts, so rules come before it. What was read is known only in a run, and Explain says
 * in its note what will follow from it. Conditions need arguments: Explain says only that some matter.
 */
function allowedByGates(input: Asked): string {
  const { tool, subject, call, ran, reads } = input
  const { effect, name } = tool
  const counted = uncounted(subject)
  const withConfiguration = subject.configuration !== null
  const { verdict, approval } = explainTool(tool, counted, { withConfiguration })
  expect(verdict).toEqual({ allowed: true })
  expect(ran.start?.data.accepted).toContainEqual(expect.objectContaining({ name }))
  const end = endOf(call)
  const after = effect !== 'read' && reads.length > 0 ? subject.configuration?.afterUntrusted : null
  const offeredNow = ran.rounds.find(({ round }) => round === call.round)?.offered ?? []
  expect(offeredNow.includes(name)).toBe(after !== 'refuse')
  if (after === 'refuse') {
    expect(end.outcome).toMatchObject({ type: 'denied', gate: 'flow' })
    expect(noteWords(approval)).toContain('After the run has read what others can write')
    return 'flow'
  }
  return decidedByRules(input, { approval, waitsAfterReads: after === 'ask' })
}

type Known = { approval: ApprovalNote | null; waitsAfterReads: boolean }

function decidedByRules(input: Asked, { approval, waitsAfterReads }: Known): string {
  const { call, ran } = input
  const tried = triedBeforeCounting(input)
  const { outcome } = endOf(call)
  const requests = requestsFor(call, ran)
  const stopping = tried.rules.find(({ action }) => action !== 'observe')
  if (stopping?.action === 'deny') {
    const reason = expect.stringContaining(`The rule "${stopping.name}" refuses it`)
    expect(outcome).toMatchObject({ type: 'denied', gate: 'rule', reason })
    expect(requests).toEqual([])
    expect(noteWords(approval)).toContain('A call is refused')
    return 'refuses'
  }
  const asksAfterReads = waitsAfterReads && !isRefusedByTool(tried)
  if (stopping || asksAfterReads) {
    expect(outcome).toMatchObject({ type: 'denied', gate: 'approval' })
    expect(requests).toHaveLength(1)
    // The note about reads comes before the approval setting of the tool, which Try it names.
    if (!asksAfterReads) expect(requests).toMatchObject([{ ruleId: stopping?.id }])
    expect(noteWords(approval)).toContain('wait')
    return stopping ? 'asks' : 'asks after reads'
  }
  expect(requests).toEqual([])
  // Arguments that the tool refuses end the call before anybody is asked.
  if (approval?.always) expect(isRefusedByTool(tried)).toBe(true)
  return unstopped(input, tried)
}

/** Returns what Try it would say if nothing of the limit were used. */
function triedBeforeCounting({ tool, subject, call }: Asked): Tried {
  const withConfiguration = subject.configuration !== null
  return whatCallMeets(tool, call.argumentsText, {
    subject: uncounted(subject),
    withConfiguration,
  })
}

function unstopped(input: Asked, tried: Tried): string {
  const { tool, subject, call, ran } = input
  const { outcome } = endOf(call)
  const { verdict } = explainTool(tool, subject, { withConfiguration: true })
  if (!verdict.allowed) {
    const { gate, reason } = verdict
    expect(outcome).toMatchObject({ type: 'denied', gate, reason })
    return 'rate'
  }
  const observed = ran.notes.filter(
    ({ round, code }) => round === call.round && code === 'rule-observed',
  )
  // A rule is noted once a round for each name.
  expect(observed.length > 0).toBe(tried.rules.length > 0)
  if (!endsWithIssues(tried)) {
    expect(outcome.type).toBe('ok')
    return 'runs'
  }
  if (outcome.type === 'invalid-arguments') expect(outcome.issues).toEqual(tried.issues)
  else expect(outcome).toMatchObject({ type: 'failed', message: 'The tool failed.' })
  return 'arguments'
}

type Tried = ReturnType<typeof whatCallMeets>

/** Returns whether the tool itself says no. Where its parser fails, nobody knows, and all rules about it count. */
const isRefusedByTool = ({ issues }: Tried) => issues.length > 0 && !issues[0]?.includes('failed')

const endsWithIssues = ({ issues }: Tried) => issues.length > 0
