import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ApprovalDecision, ApprovalRule } from '@/lib/protocol/approval'
import { approvalFixture, everybody, no, rule, yes } from '@/tests/support/approval-fixture'
import { admin, eventsOf, runInput } from '@/tests/support/run-fixture'
import { asks, type ScriptStep, says } from '@/tests/support/scripted-model'

type Rules = readonly Partial<ApprovalRule>[]
/** Decides about the calls that were asked about, by their place; may change the rules before that. */
type Answer = (requested: number, change: (rules: Rules) => void) => ApprovalDecision

const three = [
  asks(['save', { n: 1 }]),
  asks(['save', { n: 2 }]),
  asks(['save', { n: 3 }]),
  says('Done.'),
]
const atOnce = [asks(['save', { n: 1 }], ['save', { n: 2 }], ['save', { n: 3 }]), says('Done.')]
const about = (value: string) => [{ path: '$.n', operator: 'equals' as const, value }]
const edit = (argumentsText: string) => ({ ...yes, type: 'edited' as const, argumentsText })

async function runWith(
  rules: Rules,
  { script = three, answer = () => yes }: { script?: ScriptStep[]; answer?: Answer } = {},
) {
  let requestCount = 0
  const run = approvalFixture(script, {
    readDecisions: (waiting, signal) =>
      everybody(() => answer(++requestCount, change))(waiting, signal),
  })
  const change = (now: Rules) => {
    const approvalRules = now.map((fields, at) => ({ ...rule, id: `rule-${at}`, ...fields }))
    run.switches.subject = { ...run.switches.subject, approvalRules }
  }
  change(rules)
  const state = await runAgent(runInput(), run.deps)
  const gates = state.rounds.flatMap(({ calls }) =>
    calls.map(({ state: now }) =>
      now.type === 'ended' && now.outcome.type === 'denied' ? now.outcome.gate : now.type,
    ),
  )
  return { ...run, gates, requestCount }
}

const once = { action: 'ask-once' } as const

test('a rule that refuses by arguments stops only the calls that match, and nobody is asked', async () => {
  const run = await runWith([{ action: 'deny', conditions: about('2') }, { action: 'observe' }])
  expect(run.gates).toEqual(['ended', 'rule', 'ended'])
  expect(run.saved).toEqual([{ n: 1 }, { n: 3 }])
  expect(run.requestCount).toBe(0)
})

test('a rule that refuses every call is a gate: the tool is not even offered', async () => {
  const run = await runWith([{ action: 'deny' }])
  expect(run.saved).toEqual([])
  const [start] = eventsOf(run.events, 'run-start')
  expect(start?.data.rejected).toMatchObject([{ name: 'save', gate: 'rule' }])
})

test('a rule that refuses and whose conditions cannot be read refuses every call', async () => {
  const conditions = [{ path: 'no path', operator: 'equals' as const, value: '2' }]
  const run = await runWith([{ action: 'deny', conditions }])
  expect(run.gates).toEqual(['rule', 'rule', 'rule'])
  expect(run.saved).toEqual([])
})

test('a rule that refuses outweighs one that asks, also after an approval', async () => {
  const both: Rules = [{ action: 'ask' }, { action: 'deny', conditions: about('2') }]
  const run = await runWith(both)
  expect(run.gates).toEqual(['ended', 'rule', 'ended'])
  expect(run.requestCount).toBe(2)
  // The rule refuses what a person made of the arguments as well.
  const script = [asks(['save', { n: 1 }]), says('Done.')]
  const edited = await runWith(both, { script, answer: () => edit('{"n":2}') })
  expect(edited.gates).toEqual(['rule'])
  expect(edited.saved).toEqual([])
})

test('a rule that comes, changes or goes while a call waits counts as it is after the decision', async () => {
  const script = [asks(['save', { n: 1 }]), says('Done.')]
  const became = (rules: Rules) =>
    runWith([{ action: 'ask' }], {
      script,
      answer: (_, change) => {
        change(rules)
        return yes
      },
    })
  for (const refusing of [
    { action: 'deny' },
    { action: 'deny', conditions: about('1') },
  ] as const) {
    const run = await became([refusing])
    expect(run.gates).toEqual(['rule'])
    expect(run.saved).toEqual([])
  }
  expect((await became([])).saved).toEqual([{ n: 1 }])
  expect((await became([{ action: 'observe' }])).saved).toEqual([{ n: 1 }])
})

test('a rule that asks once a run remembers an approval, for its tool and itself', async () => {
  const run = await runWith([once])
  expect(run.requestCount).toBe(1)
  expect(run.saved).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  const refused = await runWith([once], { answer: () => no })
  expect(refused.requestCount).toBe(3)
  expect(refused.saved).toEqual([])
  const two = await runWith([once, { ...once, name: 'Twos', conditions: about('2') }])
  expect(two.requestCount).toBe(2)
  const script = [asks(['save', { n: 1 }]), asks(['look', { n: 1 }]), says('Done.')]
  expect((await runWith([{ ...once, toolName: null }], { script })).requestCount).toBe(2)
})

test('it asks about one call of a round at a time, because the answer may cover the others', async () => {
  const run = await runWith([once], { script: atOnce })
  expect(run.requestCount).toBe(1)
  expect(run.saved).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  const second = await runWith([once], {
    script: atOnce,
    answer: (input) => (input === 1 ? no : yes),
  })
  expect(second.requestCount).toBe(2)
  expect(second.gates).toEqual(['approval', 'ended', 'ended'])
})

test('a stricter rule asks about each call all the same', async () => {
  const run = await runWith([once, { action: 'ask', conditions: about('3') }])
  expect(run.requestCount).toBe(2)
  const refusing = await runWith([once, { action: 'deny', conditions: about('3') }])
  expect(refusing.requestCount).toBe(1)
  expect(refusing.gates).toEqual(['ended', 'ended', 'rule'])
})

test('an approval of other arguments than the model wrote is not remembered', async () => {
  const run = await runWith([once], { answer: (input) => (input === 1 ? edit('{"n":7}') : yes) })
  expect(run.requestCount).toBe(2)
  expect(run.saved).toEqual([{ n: 7 }, { n: 2 }, { n: 3 }])
})

test('a remembered approval counts only while its approver may still approve', async () => {
  const run = await runWith([once], {
    answer: (input) => (input === 1 ? { ...yes, userId: 'gone' } : yes),
  })
  expect(run.requestCount).toBe(2)
  expect(run.saved).toEqual([{ n: 2 }, { n: 3 }])
})

test('a remembered approval counts only while the rule asks once, as it did then, and matches the approved call', async () => {
  const changed = (before: Rules, after: Rules) =>
    runWith(before, {
      answer: (input, change) => {
        if (input === 1) change(after)
        return yes
      },
    })
  expect((await changed([once], [once])).requestCount).toBe(1)
  expect((await changed([once], [{ action: 'ask' }])).requestCount).toBe(3)
  // Each of these covers the calls after the second, which was approved because of the rule as it is now.
  expect((await changed([{ action: 'ask' }], [once])).requestCount).toBe(2)
  const other = [{ path: '$.n', operator: 'not-equals' as const, value: '1' }]
  expect((await changed([once], [{ ...once, conditions: other }])).requestCount).toBe(2)
})

test('a rule that only observes lets calls start and says so once a round', async () => {
  const run = await runWith([{ action: 'observe', name: 'Watch' }], {
    script: [asks(['save', { n: 1 }], ['save', { n: 2 }]), says('Done.')],
  })
  expect(run.saved).toEqual([{ n: 1 }, { n: 2 }])
  expect(eventsOf(run.events, 'warning').map(({ data }) => data)).toMatchObject([
    {
      code: 'rule-observed',
      message: 'The rule "Watch", which only observes, matches a call of save.',
      tellModel: false,
    },
  ])
})

const second = { name: 'Second', fourEyes: true }
const byOther = { ...yes, by: 'eve@example.org', userId: 'u-other' }
const own = [asks(['save', { n: 1 }]), says('Done.')]

/** Returns an approval that comes after the rules became these. */
const after =
  (rules: Rules, approval: ApprovalDecision = yes): Answer =>
  (_, change) => {
    change(rules)
    return approval
  }

test.each<[string, Rules, Answer]>([
  ['says it', [second], () => yes],
  ['said it when it asked', [second], after([{}])],
  ['says it since', [{}], after([second])],
  ['is not the one that asked', [{}, { ...second, action: 'ask-once' }], () => yes],
  [
    'is about the arguments before the edit',
    [{}, { ...second, conditions: about('1') }],
    () => edit('{"n":5}'),
  ],
  [
    'is about the arguments before the edit since',
    [{}],
    after([{}, { ...second, conditions: about('1') }], edit('{"n":5}')),
  ],
  [
    'is about the arguments after the edit',
    [{}, { ...second, conditions: about('5') }],
    () => edit('{"n":5}'),
  ],
])(
  'G-A: whoever starts a run cannot approve where a rule for a second person %s',
  async (_, rules, answer) => {
    const run = await runWith(rules, { script: own, answer })
    expect(run.saved).toEqual([])
    expect(run.gates).toEqual(['approval'])
  },
)

test('G-A: the yes of a second person counts, and rules that do not ask need none', async () => {
  const approvers = new Map([['u-other', { ...admin, userId: 'u-other' }]])
  const run = approvalFixture(own, { readDecisions: everybody(() => byOther) })
  const approvalRules = [{ ...rule, fourEyes: true }]
  run.switches.subject = { ...run.switches.subject, approvers, approvalRules }
  await runAgent(runInput(), run.deps)
  expect(run.saved).toEqual([{ n: 1 }])
  expect(eventsOf(run.events, 'approval-request')).toMatchObject([
    { data: { fourEyesRule: 'Writes' } },
  ])
  const observing = await runWith([{}, { ...second, action: 'observe' }], { script: own })
  expect(observing.saved).toEqual([{ n: 1 }])
})

test('G-A: an approval that a rule remembers ends when the rule asks for a second person', async () => {
  const answer: Answer = (input, change) => {
    if (input === 2) change([{ ...once, fourEyes: true }])
    return yes
  }
  const script = [asks(['save', { n: 1 }]), asks(['look', {}], ['save', { n: 2 }]), says('Done.')]
  const asking = { name: 'Looks', toolName: 'look' }
  const remembered = await runWith([once, asking], { script })
  expect([remembered.requestCount, remembered.saved]).toEqual([2, [{ n: 1 }, { n: 2 }]])
  const run = await runWith([once, asking], { script, answer })
  expect(run.saved).toEqual([{ n: 1 }])
  expect(run.requestCount).toBeGreaterThan(2)
})
