import { describe, expect, test } from 'vitest'
import type { RunDeps } from '@/lib/engines/runtime/deps'
import type { ModelEvent } from '@/lib/protocol/model/message'
import { type ExecutableTool, ToolError } from '@/lib/protocol/tool'
import {
  approved,
  asking,
  decides,
  look,
  type Recorded,
  record,
  write,
} from '@/tests/support/recorded-run'
import { modelTarget, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { asks, fails, finish, type ScriptStep, says } from '@/tests/support/scripted-model'

const approvedRun: Recorded = {
  script: [asks(['write', { n: 1 }]), says('Done.')],
  tools: [write],
  subject: { approvalRules: [asking] },
  deps: decides(approved),
}
const inText = runSnapshot({ toolMode: 'prompted' })
const asksInText = (name: string) =>
  says(`I look.\n<tool_call>{"name":"${name}","args":{"n":1}}</tool_call> and more`)
const cheap = { scope: 'run', mode: 'enforce', limitMicroUsd: 1 } as const

/** Returns another text each time. */
function counting() {
  let n = 0
  return async () => String(n++)
}

/** Returns another text for the first two reads, and then always the same. */
function changingTwice() {
  let n = 0
  return async () => String(Math.min(2, n++))
}

function failsAtSecond(): RunDeps['reserve'] {
  let n = 0
  return async () => {
    if (n++ > 0) throw new Error('The database is away.')
    return { type: 'held', reservationId: null, warning: null }
  }
}

const startsRun: ExecutableTool['execute'] = async (_args, { started }) => {
  await started?.('0190a000-0000-7000-8000-000000000001')
  return { content: 'Started.' }
}

/** Returns a try that fails after 5,000 tokens of input. */
function costly(category: Parameters<typeof fails>[0]): ScriptStep {
  const usage = {
    inputTokens: 5_000,
    outputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    estimated: false,
  }
  return fails(category).map((event) => ({ ...event, usage }))
}

const png = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)
const pictures = Array.from({ length: 8 }, () => ({ data: png }))

async function* streamed(events: ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events
}

const kinds: Record<string, Recorded> = {
  'an answer at once': { script: [says('Hi.')] },
  'calls of two rounds': {
    script: [asks(['look', { n: 1 }], ['look', { n: 2 }]), asks(['look', { n: 3 }]), says('Done.')],
    tools: [look],
  },
  'a tool that is off': {
    script: [asks(['raw']), says('No.')],
    tools: [testTool('raw', { enabledByDefault: false })],
  },
  'a tool that does not exist': { script: [asks(['nothing']), says('No.')], tools: [look] },
  'arguments that do not fit': {
    script: [asks(['look', '{"n":']), says('Done.')],
    tools: [look],
  },
  'a tool that fails': {
    script: [asks(['look']), says('Done.')],
    tools: [
      testTool('look', {
        execute: async () => {
          throw new ToolError('gone', 'It is gone.')
        },
      }),
    ],
  },
  'the limit of rounds': {
    script: [asks(['look', { n: 1 }]), asks(['look', { n: 2 }]), says('Enough.')],
    tools: [look],
    input: { snapshot: runSnapshot({ maxRounds: 2 }) },
  },
  'the same call five times': {
    script: Array.from({ length: 5 }, () => asks(['look', { n: 1 }])),
    tools: [look],
    input: { snapshot: runSnapshot({ maxRounds: 9 }) },
  },
  'an approval': approvedRun,
  'an approval with other arguments': {
    ...approvedRun,
    deps: decides({ ...approved, type: 'edited', argumentsText: '{"n":2}' }),
  },
  'a refusal by a person': {
    ...approvedRun,
    deps: decides({ type: 'denied', by: 'ada@example.org', message: 'Not today.' }),
  },
  'a call that nobody decided about': { ...approvedRun, deps: {} },
  'retries of a provider': {
    script: [fails('overloaded'), fails('rate-limited'), says('At last.')],
  },
  'a fallback': {
    script: [fails('auth'), says('From the other.')],
    input: {
      snapshot: runSnapshot({ targets: [modelTarget(), modelTarget({ modelId: 'other' })] }),
    },
  },
  'a failure for good': { script: [fails('bad-request')] },
  'an answer that is cut': {
    script: [[...says('A part').slice(0, -1), finish({ text: 'A part', finishReason: 'length' })]],
  },
  'an answer that breaks off': {
    script: [[...says('A part').slice(0, -1), ...fails('connection')]],
  },
  'a call in text': {
    script: [asksInText('look'), says('Done.')],
    tools: [look],
    input: { snapshot: inText },
  },
  'a request in text that cannot be read': {
    script: [says('<tool_call>{"name":</tool_call>'), says('Done.')],
    tools: [look],
    input: { snapshot: inText },
  },
  'a cost cap': {
    script: [asks(['look']), says('It is enough.')],
    tools: [look],
    input: { snapshot: runSnapshot({ costCaps: [cheap] }) },
  },
  'a budget that is used up': {
    script: [],
    deps: { reserve: async () => ({ type: 'refused', reason: 'Daily site budget used up.' }) },
  },
  'a tool that takes too long': {
    script: [asks(['look']), says('Done.')],
    tools: [testTool('look', { execute: () => new Promise(() => undefined) })],
  },
  'the time limit': {
    script: [asks(['look']), says('Never.')],
    tools: [testTool('look', { timeoutMs: 900_000, execute: () => new Promise(() => undefined) })],
    isCut: true,
  },
  'a command that its tool refuses': {
    script: [asks(['write']), says('Done.')],
    tools: [
      testTool('write', {
        effect: 'write',
        look: {
          isAct: true,
          read: async () => {
            throw new ToolError('refused', 'It must not.')
          },
        },
      }),
    ],
    subject: { approvalRules: [asking] },
  },
  'a command that a person approved': {
    ...approvedRun,
    tools: [testTool('write', { effect: 'write', look: { isAct: true, read: async () => 'rm' } })],
  },
  'a text that changed meanwhile': {
    ...approvedRun,
    tools: [testTool('write', { effect: 'write', look: { read: counting() } })],
  },
  'a limit of calls in one run': {
    script: [asks(['look', { n: 1 }]), asks(['look', { n: 2 }]), says('Done.')],
    tools: [look],
    subject: { rates: new Map([['look', { perMinute: null, perRun: 1, use: null }]]) },
    isCounted: true,
  },
  'a cost cap that a person ignored': {
    script: [asks(['look', { n: 1 }]), asks(['look', { n: 2 }]), says('Done.')],
    tools: [look],
    input: { snapshot: runSnapshot({ costCaps: [cheap] }) },
    deps: {
      readCostCapChoice: async () => ({ choice: 'ignore', by: 'Ada', userId: 'u-admin' }),
    },
  },
  'a cap that the runs of a call reach': {
    script: [asks(['look']), says('Done.')],
    tools: [testTool('look', { execute: startsRun })],
    input: { snapshot: runSnapshot({ costCaps: [{ ...cheap, limitMicroUsd: 5_000 }] }) },
    deps: { readChildCost: async () => 6_000 },
  },
  'a cap that a failed try reaches': {
    script: [costly('overloaded'), says('Done.')],
    tools: [look],
    input: { snapshot: runSnapshot({ costCaps: [{ ...cheap, limitMicroUsd: 3_000 }] }) },
  },
  'images that fill a small window': {
    script: [asks(['look']), says('From one.')],
    tools: [testTool('look', { execute: async () => ({ content: 'eight', images: pictures }) })],
    input: {
      prompt: 'word '.repeat(800),
      snapshot: runSnapshot({
        targets: [
          modelTarget({ contextTokens: 8_000, vision: true }),
          modelTarget({ modelId: 'large', vision: true }),
        ],
      }),
    },
    isCut: true,
  },
  'calls that do not start, under a limit': {
    script: [asks(['write', { n: 1 }]), asks(['write', { n: 2 }]), says('Done.')],
    tools: [testTool('write', { effect: 'write', look: { read: changingTwice() } })],
    subject: {
      approvalRules: [asking],
      rates: new Map([['write', { perMinute: null, perRun: 1, use: null }]]),
    },
    deps: decides(approved),
    isCounted: true,
  },
  'an error of the server between two rounds': {
    script: [asks(['look']), says('Never.')],
    tools: [look],
    deps: { reserve: failsAtSecond() },
    isCut: true,
  },
  'the hidden mark in a call': {
    script: [
      ({ request }) =>
        streamed(
          asks(['look', { text: /canary-[0-9a-f]{16}/.exec(JSON.stringify(request))?.[0] ?? '' }]),
        ),
      says('Done.'),
    ],
    tools: [look],
    input: { snapshot: runSnapshot({ skills: [] }) },
  },
}

describe('a run is the same with the policy that it had', () => {
  for (const [kind, recorded] of Object.entries(kinds))
    test(kind, async () => {
      const replay = await record(recorded)
      expect(await replay()).toEqual({ frozen: null, offers: [], differences: [] })
    })
})
