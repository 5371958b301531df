import { expect, test } from 'vitest'
import { costOfTurns } from '@/lib/protocol/cost/cost-caps'
import type { ModelRequest } from '@/lib/protocol/model/message'
import type { ExecutableTool } from '@/lib/protocol/tool'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  subjectConfiguration,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, fails, type ScriptStep, says } from '@/tests/support/scripted-model'
import type { EarlierTurn, RunInput } from './deps'
import { runAgent } from './run-agent'
import { startOf } from './run-step'

const look = testTool('look')

type Turn = { input?: Partial<RunInput>; tools?: ExecutableTool[] } & Pick<
  Parameters<typeof runFixture>[0],
  'subject'
>

/** Runs a conversation, one turn after another. */
function conversation() {
  const earlier: EarlierTurn[] = []
  return async (script: ScriptStep[], { input = {}, tools = [look], subject = {} }: Turn = {}) => {
    const run = runFixture({ script, tools, subject, deps: { earlier: [...earlier] } })
    const before = earlier.at(-1)
    const runId = `00000000-0000-7000-8000-00000000000${earlier.length}`
    const cost = costOfTurns(earlier.map((each) => each.state))
    const turnBefore = before && { runId, start: startOf(before.state), cost }
    const state = await runAgent(runInput({ turnBefore, ...input }), run.deps)
    const requests = run.model.calls.map(({ request }) => request)
    earlier.push({ state, nativeOf: run.journal.nativeOf })
    const last = () => lastOf(requests)
    return { ...run, state, requests, last }
  }
}

function lastOf(requests: readonly ModelRequest[]): ModelRequest {
  const last = requests.at(-1)
  if (!last) throw new Error('No request was made.')
  return last
}

const textsOf = ({ messages }: ModelRequest) =>
  messages.map((message) => (message.role === 'tool' ? message.content : message.text))

test('C1: a turn begins with exactly what the turn before sent, then its answer', async () => {
  const turn = conversation()
  const first = await turn([asks(['look', {}]), says('It rains.')])
  const second = await turn([asks(['look', {}]), says('It stops.')], {
    input: { prompt: 'And now?' },
  })
  const third = await turn([says('Nothing.')], { input: { prompt: 'And then?' } })
  for (const [before, after] of [
    [first.last(), second.requests[0]],
    [second.last(), third.requests[0]],
  ] as const) {
    expect(after?.messages.slice(0, before.messages.length)).toEqual(before.messages)
    expect(JSON.stringify({ ...after, messages: [], contextTokens: 0 })).toBe(
      JSON.stringify({ ...before, messages: [], contextTokens: 0 }),
    )
  }
  const texts = textsOf(third.last())
  expect(texts.at(-1)).toBe('And then?')
  expect(texts.at(-2)).toBe('It stops.')
  const fences = texts.filter((text) => text.includes('the tags are <untrusted-'))
  expect(fences).toEqual([texts[0]])
  expect(startOf(third.state).canary).toBe(startOf(first.state).canary)
  expect(startOf(second.state).continues).toBeDefined()
})

test('a fence comes into the first message when a later turn is the first with tools', async () => {
  const turn = conversation()
  const first = await turn([says('Hello.')], { tools: [] })
  expect(textsOf(first.last())[0]).toBe('What is new?')
  const { last } = await turn([asks(['look', {}]), says('Rain.')])
  expect(textsOf(last())[0]).toMatch(/^\[Note from Toolgate: the tags are [^\n]+\n\nWhat is new\?$/)
  expect(textsOf(last())[2]).toBe('What is new?')
})

test('a turn without an answer is followed by a line that says so, and no word of why', async () => {
  const turn = conversation()
  await turn([...Array(3).fill(fails('auth'))])
  await turn([asks(['look', {}]), ...Array(3).fill(fails('auth'))])
  const { last } = await turn([says('Yes.')])
  const roles = last().messages.map(({ role }) => role)
  expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'tool', 'assistant', 'user'])
  expect(textsOf(last()).filter((text) => text.includes('without an answer'))).toHaveLength(2)
})

test('R13: the oldest turns are left out whole, in this turn and in those after it, and the newest prompt never', async () => {
  const big = testTool('big', { execute: async () => ({ content: 'x'.repeat(7000) }) })
  const targets = [modelTarget({ contextTokens: 8000, maxOutputTokens: 1000 })]
  const input = { snapshot: runSnapshot({ targets }) }
  const turn = conversation()
  for (const name of ['One.', 'Two.', 'Three.']) {
    const { events } = await turn([asks(['big', { name }]), says(name)], { input, tools: [big] })
    expect(eventsOf(events, 'warning')).toEqual([])
  }
  const fourth = await turn([asks(['big', {}]), says('Four.')], { input, tools: [big] })
  const warnings = eventsOf(fourth.events, 'warning').map(({ data }) => data)
  expect(warnings.every(({ code }) => code === 'context-pruned')).toBe(true)
  expect(warnings[0]?.message).toMatch(/^The oldest turn is no longer sent, because/)
  const texts = textsOf(fourth.last())
  expect(texts[0]).toMatch(
    /^\[Note from Toolgate: the tags are .+\n\n\[Note from Toolgate: Earlier turns/,
  )
  expect(texts).not.toContain('One.')
  const fifth = await turn([says('Five.')], { input, tools: [big] })
  const kept = fourth.last().messages.length
  expect(fifth.requests[0]?.messages.slice(0, kept)).toEqual(fourth.last().messages)
  expect(eventsOf(fifth.events, 'warning')).toEqual([])
  for (const event of eventsOf([...fourth.events, ...fifth.events], 'round-start'))
    expect(event.data.contextTokens).toBeLessThanOrEqual(8000 - 1000 - 240)
})

test('gate 7: what earlier turns read is not sent to a provider that may not have it', async () => {
  const logs = testTool('logs', { dataClass: 'diagnostics' })
  const turn = conversation()
  await turn([asks(['logs', {}]), says('Errors.')], { tools: [logs] })
  const private_ = modelTarget({ connectionName: 'Ours', trustZone: 'private' })
  const only = await turn([], { tools: [] })
  expect(only.state.end?.reason).toBe('provider-error')
  expect(only.state.end?.message).toContain('An earlier turn has what logs returned')
  expect(only.requests).toEqual([])
  const targets = [modelTarget(), private_]
  const input = { snapshot: runSnapshot({ targets }) }
  const { state } = await turn([says('Still errors.')], { tools: [], input })
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds[0]?.response?.target).toBe(1)
})

test('G-U: what an earlier turn has read of what others can write counts', async () => {
  const save = testTool('save', { effect: 'write' })
  const turn = conversation()
  await turn([asks(['look', {}]), says('Read.')], { tools: [look, save] })
  const subject = { configuration: subjectConfiguration({ afterUntrusted: 'refuse' }) }
  const { state } = await turn([asks(['save', {}]), says('No.')], { tools: [look, save], subject })
  const call = state.rounds[0]?.calls[0]?.state
  expect(call?.type === 'ended' && call.outcome.type === 'denied' && call.outcome.gate).toBe('flow')
})

test('a skill stands in the first turn that has it', async () => {
  const skill = {
    skillId: 's',
    name: 'reports',
    version: 1,
    description: '',
    checksum: '',
    allowedTools: null,
    body: 'Write reports.',
  }
  const input = { snapshot: runSnapshot({ skills: [skill] }) }
  const turn = conversation()
  await turn([says('One.')], { input })
  const { last } = await turn([says('Two.')], { input })
  expect(textsOf(last()).map((text) => text.includes('Write reports.'))).toEqual([
    true,
    false,
    false,
  ])
})

test('a turn without tools has those of the turns before at hand, for servers that take no calls without', async () => {
  const turn = conversation()
  const first = await turn([asks(['look', {}]), says('It rains.')])
  expect(first.last()).not.toHaveProperty('toolsBefore')
  const switched = { enabled: false, reason: '', changedBy: 'ada@example.org', changedAt: 0 }
  const off = { overrides: new Map([['look', switched]]) }
  const second = await turn([says('It stops.')], { input: { prompt: 'And now?' }, subject: off })
  expect(second.last()).toMatchObject({ tools: [], toolsBefore: [{ name: 'look' }] })
  const alone = conversation()
  const { last } = await alone([says('Hello.')], { subject: off })
  expect(last()).not.toHaveProperty('toolsBefore')
})
