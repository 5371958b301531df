import { afterEach, describe, expect, it } from 'vitest'
import type { SavedImage } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import type { ToolImage } from '@/lib/protocol/tool'
import {
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { expectStablePrefix } from '@/tests/support/stable-prefix'
import { anthropicRefusal } from '@/tests/support/strict-providers/anthropic-rules'
import { type Json, startStrictProvider } from '@/tests/support/strict-providers/strict-provider'
import { closeAll, closeLater } from './__fixtures__/ask-provider'
import { providerOptions } from './__fixtures__/provider-options'
import type { ThreeRounds } from './__fixtures__/round-script'
import { threeRounds } from './__fixtures__/three-rounds'
import { openProvider } from './open-provider'

afterEach(closeAll)

type Wishes = { maxRounds?: number; images?: ToolImage[] }

/** Makes one run of the loop against a provider with its rules. `images` are returned by `list_users`. */
async function play(rounds: ThreeRounds, { maxRounds = 5, images }: Wishes = {}) {
  const server = await startStrictProvider(rounds)
  closeLater(server.close)
  const provider = openProvider(rounds.wire, providerOptions({ baseUrl: server.url, apiKey: 'k' }))
  const users = { content: 'Ada, Max', ...(images && { images }) }
  const withContent = contentAdder()
  const { deps, journal } = runFixture({
    tools: [
      testTool('fetch_logs', { execute: async () => ({ content: 'two lines' }) }),
      testTool('list_users', { execute: async () => users }),
    ],
    deps: {
      streamModel: (_target, request, signal) =>
        provider.stream(withContent(request, journal.images), signal),
      // Its only wait is for the end of its time.
      after: () => () => undefined,
    },
  })
  const plain = runSnapshot()
  const snapshot = runSnapshot({
    targets: [
      modelTarget({ wire: rounds.wire, modelId: rounds.modelId, reasoning: true, vision: true }),
    ],
    parameters: { ...plain.parameters, reasoningEffort: 'medium' },
    maxRounds,
  })
  const { end } = await runAgent(runInput({ snapshot }), deps)
  return { end, bodies: server.bodies, texts: server.texts, refusals: server.refusals }
}

/** Puts the bytes of images into requests, the same message as the same object each time. */
function contentAdder() {
  const made = new WeakMap<Message, Message>()
  const add = (message: Message, images: readonly SavedImage[]): Message => {
    if (message.role === 'assistant' || !message.attachments) return message
    const attachments = message.attachments.map((file) => {
      const image = images.find((saved) => saved.file.id === file.id)
      return { ...file, content: { bytes: image?.content ?? new Uint8Array() } }
    })
    const known = made.get(message) ?? { ...message, attachments }
    made.set(message, known)
    return known
  }
  return (request: ModelRequest, images: readonly SavedImage[]) =>
    images.length === 0
      ? request
      : { ...request, messages: request.messages.map((message) => add(message, images)) }
}

const head = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01'
const image = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(40, 7)])

/** Bodies for a reader who has the documentation beside them. */
function asPage(name: string, bodies: readonly Json[]): string {
  const rounds = bodies.map(
    (body, at) => `## Request ${at + 1}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`,
  )
  return `# ${name}: a run of three rounds, as it is sent\n\n${rounds.join('\n')}`
}

describe.each(threeRounds)('$name', (rounds) => {
  it('takes three rounds with thinking and two calls at once, as they are sent', async () => {
    const { end, bodies, texts, refusals } = await play(rounds)
    expect(refusals).toEqual([])
    expect(end?.reason).toBe('completed')
    expect(bodies).toHaveLength(3)
    expectStablePrefix(texts)
    await expect(asPage(rounds.name, bodies)).toMatchFileSnapshot(
      `./__snapshots__/three-rounds/${rounds.name}.md`,
    )
  })

  it('takes the closing request, which has no tools', async () => {
    const { end, bodies, refusals } = await play(rounds, { maxRounds: 2 })
    expect(refusals).toEqual([])
    expect(end).toMatchObject({ reason: 'max-rounds' })
    expect(bodies[2]).not.toHaveProperty('tools')
  })

  it.each([
    ['between calls', 5],
    ['in the closing request', 2],
  ])('takes a result with an image, %s', async (_, maxRounds) => {
    const { texts, refusals } = await play(rounds, { maxRounds, images: [{ data: image }] })
    expect(refusals).toEqual([])
    const base64 = image.toString('base64')
    expect(texts.map((text) => text.split(base64).length - 1)).toEqual([0, 1, 1])
    if (maxRounds === 5) expectStablePrefix(texts)
  })
})

describe('the rules of Anthropic', () => {
  const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: `${text}==` })
  const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
  const answer = [thinking('a'), use('t1'), thinking('b'), use('t2')]
  const results = [result('t1'), result('t2')]
  const body = (content: Json[], after: Json[], more: object = {}) => ({
    max_tokens: 100,
    tools: [{ name: 'look' }],
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content },
      { role: 'user', content: after },
    ],
    ...more,
  })

  it('take the answer as it was, with both results', () => {
    expect(anthropicRefusal(body(answer, results), [answer])).toBeNull()
  })

  it.each<[string, Json, string]>([
    [
      'its thinking together',
      body([thinking('a'), thinking('b'), use('t1'), use('t2')], results),
      'cannot be modified',
    ],
    ['without its thinking', body([use('t1'), use('t2')], results), 'cannot be modified'],
    [
      'with another signature',
      body([{ ...thinking('a'), signature: 'x' }, ...answer.slice(1)], results),
      'cannot be modified',
    ],
    ['with one result', body(answer, [result('t1')]), 'without `tool_result`'],
    [
      'with text before the results',
      body(answer, [{ type: 'text', text: 'Here:' }, ...results]),
      'must come first',
    ],
    [
      'with a result of nothing',
      body([thinking('a'), use('t1')], results),
      'unexpected `tool_use_id`',
    ],
    ['with blank text', body([...answer, { type: 'text', text: ' ' }], results), 'non-empty'],
    ['without tools', body(answer, results, { tools: undefined }), 'must define tools'],
    [
      'with a mark on thinking',
      body([{ ...thinking('a'), cache_control: {} }, ...answer.slice(1)], results),
      'cache_control',
    ],
    ['with an id of another provider', body([use('call:1')], [result('call:1')]), 'pattern'],
    ['without a limit', body(answer, results, { max_tokens: undefined }), 'max_tokens'],
  ])('refuse it %s', (_, sent, why) => {
    expect(anthropicRefusal(sent, [answer])).toContain(why)
  })
})
