import { expect, test } from 'vitest'
import { runStart, type StopReason } from '@/lib/engines/runtime/deps'
import { openRunStep, startOf } from '@/lib/engines/runtime/run-step'
import type { ModelEvent, ModelFinish } from '@/lib/protocol/model/message'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { runFixture, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { fails, finish, type ScriptStep, says } from '@/tests/support/scripted-model'
import { type Reply, streamReply } from './stream-reply'

/** Asks a model once. `stop` = the step is stopped with this reason as soon as the script says so. */
async function replyTo(script: (stop: () => void) => ScriptStep, reason?: StopReason) {
  const run = runFixture({ script: [script(() => run.stop(reason))] })
  run.deps.journal.append(runStart(runInput(), { accepted: [], rejected: [] }, run.deps.newId))
  const step = openRunStep(foldRun(run.events), run.deps)
  const { snapshot } = startOf(step.state())
  const [target] = runSnapshot().targets
  if (!target) throw new Error('The snapshot has no model.')
  const { parameters } = snapshot
  const request = { modelId: 'm', system: '', messages: [], tools: [], parameters }
  const input = {
    round: 1,
    target,
    mayResend: async () => true,
    request: { ...request, mostOutputTokens: null, contextTokens: 1, reasoning: null },
  }
  const reply = await streamReply(step, input)
  step.release()
  return reply
}

const stopped: StopReason = { type: 'cancelled', by: 'Ada', reason: '' }
const handover: StopReason = { type: 'handover' }
const text: ModelEvent = { type: 'text-delta', text: 'So far' }
const reasoning: ModelEvent = { type: 'reasoning-delta', text: 'Hmm.' }

/** Streams these events, stops the step, and gives what the adapter then finishes with. */
const until = (before: ModelEvent[], after: ModelEvent[]) => (stop: () => void) =>
  async function* () {
    yield* before
    stop()
    yield* after
  }

const cut = finish({ finishReason: 'cut', text: 'So far', usage: null })

test.each<[string, (stop: () => void) => ScriptStep, StopReason | undefined, Partial<Reply>]>([
  ['a whole answer', () => says('Hello.'), undefined, { type: 'answered' }],
  ['a failure at once', () => fails('server'), undefined, { type: 'refused' }],
  [
    'a failure after reasoning',
    () => [reasoning, ...fails('server')],
    undefined,
    { type: 'broke-off', shown: false },
  ],
  [
    'a failure after text',
    () => [text, ...fails('server')],
    undefined,
    { type: 'broke-off', shown: true },
  ],
  ['a stream without its finish', () => [text], undefined, { type: 'broke-off', shown: true }],
  ['a stop before anything came', until([], fails('cancelled')), stopped, { type: 'stopped' }],
  ['a stop in the middle', until([text], [cut]), stopped, { type: 'answered', finish: cut }],
  ['a refusal, then a stop', until([], fails('server')), stopped, { type: 'stopped', part: null }],
  ['a hand-over in the middle', until([text], [cut]), handover, { type: 'handed-over' }],
  [
    'a hand-over after the whole answer',
    until([text], [finish({ text: 'So far' })]),
    handover,
    { type: 'answered' },
  ],
])('R15: %s', async (_words, script, reason, expected) => {
  expect(await replyTo(script, reason)).toMatchObject(expected)
})

test.each<[Partial<ModelFinish>, string]>([
  [{}, 'closed the connection'],
  [{ isUnexplained: true }, 'ended its answer without a reason'],
])('an answer of nothing whole says how it ended: %j', async (how, words) => {
  const empty = finish({ finishReason: 'cut', text: '', usage: null, ...how })
  const called: ModelEvent = { type: 'tool-call-delta', index: 0, name: 'a', argumentsText: '{}' }
  expect(await replyTo(() => [called, empty], undefined)).toMatchObject({
    type: 'broke-off',
    failure: { advice: expect.stringContaining(words) },
  })
})

test('M5: a request that was stopped before it was answered may have to be paid for', async () => {
  const reply = await replyTo(until([], fails('cancelled')), stopped)
  expect(reply).toMatchObject({ type: 'stopped', part: { finishReason: 'cut', text: '' } })
})
