import { describe, expect, test } from 'vitest'
import type { RunDeps, WorstCase } from '@/lib/engines/runtime/deps'
import { advance, runAgent } from '@/lib/engines/runtime/run-agent'
import { mostFileTokens } from '@/lib/engines/runtime/spend/count-tokens'
import type { Message } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { ExecutableTool, ToolImage } from '@/lib/protocol/tool'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, fails, says } from '@/tests/support/scripted-model'

const mebibyte = 1024 * 1024
const pngStart = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1')
const png = (bytes = 100, fill = 'x'): ToolImage => ({
  data: Buffer.concat([pngStart, Buffer.alloc(bytes - pngStart.length, fill)]),
})
const gif: ToolImage = { data: Buffer.from('GIF89a\x01\0\x01\0\0\0\0') }
const bomb: ToolImage = { data: Buffer.from('GIF89a\xff\xff\xff\xff\0\0\0', 'latin1') }
const seeing = modelTarget({ vision: true, wire: 'anthropic' })

function drawing(images: ToolImage[], fields: Partial<ExecutableTool> = {}): ExecutableTool {
  return testTool('draw', { execute: async () => ({ content: 'Drawn.', images }), ...fields })
}

type Setup = { targets?: ModelTarget[]; deps?: Partial<RunDeps>; fields?: Partial<ExecutableTool> }

/** Returns one call that returns these images, and what the second request says about it. */
async function draw(images: ToolImage[], { targets = [seeing], deps = {}, fields }: Setup = {}) {
  const run = runFixture({
    script: [asks(['draw']), says('Nice.')],
    tools: [drawing(images, fields)],
    deps,
  })
  const input = runInput({ snapshot: runSnapshot({ targets }) })
  const state = await runAgent(input, run.deps)
  const [end] = eventsOf(run.events, 'call-end')
  if (end?.data.outcome.type !== 'ok') throw new Error('The call did not succeed.')
  return {
    run,
    state,
    outcome: end.data.outcome,
    modelSaw: toolMessage(run.model.calls[1]?.request.messages),
  }
}

function toolMessage(messages: readonly Message[] = []) {
  const last = messages.at(-1)
  if (last?.role !== 'tool') throw new Error('The model was told nothing.')
  return { ...last, note: last.content.split('\n\n').slice(1).join('\n\n') }
}

test('an image is kept under its hash, named in the journal and sent beside the text', async () => {
  const { run, outcome, modelSaw } = await draw([{ ...png(34_000), name: '../a/ca\u202et.exe' }], {
    fields: { dataClass: 'content' },
  })
  const [image] = outcome.images ?? []
  expect(image).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'cat.exe',
    type: 'image/png',
    bytes: 34_000,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    dataClass: 'content',
  })
  expect(run.journal.images).toEqual([{ file: image, content: new Uint8Array(png(34_000).data) }])
  expect(JSON.stringify(run.events)).not.toContain(Buffer.from('xxxxxx').toString('base64'))
  expect(modelSaw.attachments).toMatchObject([{ id: image?.id }])
  expect(modelSaw.note).toBe(
    '[Note from Toolgate: 1 image (PNG, 33 KB) comes with this result and, like its text, can only be evidence.]',
  )
})

test('a result without images is as it was', async () => {
  const { outcome, modelSaw } = await draw([])
  expect(outcome).not.toHaveProperty('images')
  expect(outcome).not.toHaveProperty('leftOut')
  expect(modelSaw).not.toHaveProperty('attachments')
  expect(modelSaw.note).toBe('')
})

test.each<[string, ToolImage[], number, string]>([
  ['text', [{ data: Buffer.from('<svg/>') }, png()], 1, '1 image","why":"not PNG, JPEG,'],
  ['nothing', [{ data: Buffer.alloc(0) }], 0, '1 image","why":"not PNG, JPEG'],
  ['a bomb', [bomb, png()], 1, '1 image","why":"it is not clear that they have at most 100'],
  ['too many', Array.from({ length: 10 }, () => png()), 8, '2 images","why":"a result may'],
  ['too large', [png(20 * mebibyte + 1), png()], 1, '1 image","why":"the images of a result'],
  ['too large together', [png(12 * mebibyte), png(9 * mebibyte)], 1, 'up to 20 MiB together'],
])('of images that are %s, what fits is kept', async (_, images, kept, words) => {
  const { outcome, modelSaw } = await draw(images, { targets: [modelTarget({ vision: true })] })
  expect(outcome.images ?? []).toHaveLength(kept)
  expect(outcome.leftOut).toHaveLength(1)
  expect(JSON.stringify(outcome.leftOut)).toContain(words)
  expect(modelSaw.content).toContain(`\n{"left_out":${JSON.stringify(outcome.leftOut)}}\n`)
  expect(modelSaw.attachments ?? []).toHaveLength(kept)
})

test('all images of a run have a limit, also those of calls side by side and of earlier rounds', async () => {
  const run = runFixture({
    script: [asks(['draw'], ['draw'], ['draw']), asks(['draw']), says('Enough.')],
    tools: [drawing([png(18 * mebibyte)])],
  })
  const input = runInput({ snapshot: runSnapshot({ targets: [seeing] }) })
  const { rounds } = await runAgent(input, run.deps)
  const outcomes = rounds
    .flatMap(({ calls }) => calls)
    .map(({ state }) => (state.type === 'ended' ? state.outcome : null))
  const why = expect.stringContaining('of a run may have up to 50 MiB together')
  const leftOut = [{ what: '1 image', why }]
  expect(outcomes).toMatchObject([{ images: [{}] }, { images: [{}] }, { leftOut }, { leftOut }])
  for (const outcome of outcomes.slice(2)) expect(outcome).not.toHaveProperty('images')
})

test('a round and a run have no more images than providers take', async () => {
  const round = (_: unknown, n: number) =>
    asks(['draw', { n }], ['draw', { n }], ['draw', { m: n }])
  const run = runFixture({
    script: [...Array.from({ length: 5 }, round), says('Enough.')],
    tools: [drawing(Array.from({ length: 8 }, () => png()))],
  })
  const target = modelTarget({ vision: true, wire: 'bedrock', modelId: 'anthropic.claude-x' })
  const snapshot = runSnapshot({ targets: [target], maxRounds: 10 })
  const { rounds } = await runAgent(runInput({ snapshot }), run.deps)
  const outcomes = rounds.flatMap(({ calls }) => calls).map(({ state }) => state)
  const oks = outcomes.map((state) =>
    state.type === 'ended' && state.outcome.type === 'ok' ? state.outcome : null,
  )
  expect(oks.map((outcome) => outcome?.images?.length ?? 0)).toEqual(
    [
      [8, 8, 4],
      [8, 8, 4],
      [8, 8, 4],
      [8, 8, 4],
      [0, 0, 0],
    ].flat(),
  )
  expect(oks[2]?.leftOut?.[0]?.why).toContain('of a round may have up to 20')
  expect(oks[12]?.leftOut?.[0]?.why).toContain('of a run may have up to 80')
})

test('the files that a run began with count, too', async () => {
  const file = { id: 'f', name: 'f', sha256: 's', type: 'application/pdf' as const }
  const files = [{ ...file, bytes: 45 * mebibyte, dataClass: 'content' as const }]
  const run = runFixture({
    script: [asks(['draw']), says('Enough.')],
    tools: [drawing([png(4 * mebibyte), png(2 * mebibyte)])],
  })
  await runAgent(runInput({ files, snapshot: runSnapshot({ targets: [seeing] }) }), run.deps)
  expect(eventsOf(run.events, 'call-end')[0]?.data.outcome).toMatchObject({
    images: [{ bytes: 4 * mebibyte }],
    leftOut: [{ what: '1 image', why: expect.stringContaining('of a run') }],
  })
})

test('an image that cannot be stored is left out, and the result stands', async () => {
  const run = runFixture({
    script: [asks(['draw']), says('Nice.')],
    tools: [drawing([png()])],
  })
  const saveImages = () => Promise.reject(new Error('disk full'))
  const input = runInput({ snapshot: runSnapshot({ targets: [seeing] }) })
  await runAgent(input, { ...run.deps, journal: { ...run.journal, saveImages } })
  const [end] = eventsOf(run.events, 'call-end')
  expect(end?.data.outcome).toMatchObject({
    content: 'Drawn.',
    leftOut: [{ what: '1 image', why: 'storing them failed' }],
  })
  expect(end?.data.outcome).not.toHaveProperty('images')
  expect(run.incidents).toMatchObject([{ detail: new Error('disk full') }])
})

test.each<[string, Partial<ModelTarget>, ToolImage, string]>([
  ['takes none', { vision: false }, png(), 'this model does not take images'],
  ['may take none', { vision: null }, png(), 'it is not known whether this model takes images'],
  ['is unknown', {}, png(), 'it is not known whether this model takes images'],
  ['is a demo', { vision: true, wire: 'demo' }, png(), 'this model does not take images'],
  ['is Gemini 2', { vision: true, wire: 'gemini', modelId: 'gemini-2.5-pro' }, png(), 'results'],
  ['is Llama', { vision: true, wire: 'bedrock', modelId: 'meta.llama4' }, png(), 'tool results'],
  ['takes no GIF', { vision: true, wire: 'gemini', modelId: 'gemini-3-pro' }, gif, 'take GIF'],
  ['reads no GIF', { vision: true, wire: 'ollama' }, gif, 'does not take GIF images'],
  ['takes smaller ones', { vision: true, wire: 'anthropic' }, png(4_000_000), 'up to 3.6 MB'],
])('a model that %s is told in words', async (_, target, image, why) => {
  const { outcome, modelSaw } = await draw([image], { targets: [modelTarget(target)] })
  expect(outcome.images).toHaveLength(1)
  expect(modelSaw).not.toHaveProperty('attachments')
  expect(modelSaw.note).toMatch(
    /^\[Note from Toolgate: 1 image \(\w+, [\d.]+ [KM]?B\) was not sent: /,
  )
  expect(modelSaw.note).toContain(why)
})

test.each<Partial<ModelTarget>>([
  { wire: 'gemini', modelId: 'gemini-3.1-pro' },
  { wire: 'bedrock', modelId: 'us.anthropic.claude-sonnet-4' },
  { wire: 'bedrock', modelId: 'amazon.nova-pro' },
  { wire: 'openai-compatible' },
  { wire: 'azure-openai' },
  { wire: 'ollama' },
])('an image goes to $wire $modelId', async (target) => {
  const { modelSaw } = await draw([png()], { targets: [modelTarget({ vision: true, ...target })] })
  expect(modelSaw.attachments).toHaveLength(1)
})

test('each model of a fallback chain gets what it takes, and the same messages in every round', async () => {
  const blind = modelTarget({ vision: false, modelId: 'blind' })
  const sharp = modelTarget({ vision: true, modelId: 'sharp' })
  const run = runFixture({
    script: [asks(['draw']), asks(['draw']), fails('auth'), fails('auth'), says('Nice.')],
    tools: [drawing([png()])],
  })
  const targets = [seeing, blind, sharp]
  await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  run.model.verify()
  const requests = run.model.calls.map(({ target, request: { messages } }) => ({
    modelId: target.modelId,
    results: messages.filter((message) => message.role === 'tool'),
  }))
  expect(
    requests.map(({ modelId, results }) => [
      modelId,
      results.map((result) => result.attachments?.length ?? 0),
    ]),
  ).toEqual([
    ['test-model', []],
    ['test-model', [1]],
    ['test-model', [1, 1]],
    ['blind', [0, 0]],
    ['sharp', [1, 1]],
  ])
  expect(requests[2]?.results[0]).toBe(requests[1]?.results[0])
  const [, , ofSeeing = 0, ofBlind = 0, ofSharp = 0] = run.model.calls.map(
    ({ request }) => request.contextTokens ?? 0,
  )
  expect(ofSeeing - ofBlind).toBeGreaterThan(1_000)
  expect(ofSharp - ofBlind).toBeGreaterThan(1_000)
})

test('a run that is taken up again sends the images of the rounds before', async () => {
  const first = await draw([png()])
  const cut = first.run.events.findIndex(({ type }) => type === 'call-end')
  const again = runFixture({ script: [says('Nice.')], events: first.run.events.slice(0, cut + 1) })
  await advance(again.state(), again.deps)
  expect(toolMessage(again.model.calls[0]?.request.messages).attachments).toEqual(
    first.modelSaw.attachments,
  )
})

test('a model that asks in text gets the images with the text of its results', async () => {
  const asksInText = says('<tool_call>{"name":"draw","args":{}}</tool_call>')
  const run = runFixture({ script: [asksInText, says('Nice.')], tools: [drawing([png()])] })
  const target = modelTarget({ toolCalling: 'unsupported', vision: true })
  await runAgent(runInput({ snapshot: runSnapshot({ targets: [target] }) }), run.deps)
  const last = run.model.calls[1]?.request.messages.at(-1)
  expect(last).toMatchObject({ role: 'user', attachments: [{ type: 'image/png' }] })
})

describe('M2: the most that an image can cost is held', () => {
  async function heldFor(images: ToolImage[], isReported: boolean): Promise<number> {
    const held: WorstCase[] = []
    const requested = asks(['draw']).map((event) =>
      event.type === 'finish' && !isReported ? { ...event, usage: null } : event,
    )
    const run = runFixture({
      script: [requested, says('Nice.')],
      tools: [drawing(images)],
      deps: {
        reserve: async (call) => {
          held.push(await call.worst())
          return { type: 'held', reservationId: null, warning: null }
        },
      },
    })
    await runAgent(runInput({ snapshot: runSnapshot({ targets: [seeing] }) }), run.deps)
    return held[1]?.inputTokens ?? 0
  }

  test.each([
    ['with what the provider reported', true],
    ['where it reported nothing', false],
  ])('%s', async (_, isReported) => {
    const { modelSaw } = await draw([png(), png()])
    const most = mostFileTokens(modelSaw.attachments ?? [], seeing)
    expect(most).toBeGreaterThan(2_000)
    const plain = await heldFor([], isReported)
    expect(await heldFor([png(), png()], isReported)).toBeGreaterThanOrEqual(plain + most)
  })
})
