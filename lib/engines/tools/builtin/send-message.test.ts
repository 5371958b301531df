import { expect, it, test, vi } from 'vitest'
import { type Delivery, notDelivered } from '@/lib/domains/channels/shared/delivery'
import { messageLimits, type Reservation } from '@/lib/domains/channels/shared/run-messages'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryResources } from '@/tests/support/memory-resources'
import { memoryContext } from '@/tests/support/tool-context'
import { bindTool } from '../bind-tool'
import type { WrittenMessage } from '../tool-resources'
import sendMessage from './send-message'

const arrived: Delivery = {
  isAccepted: true,
  trouble: null,
  failure: null,
  status: 200,
  retryAfterSeconds: null,
}
const busy = notDelivered('later', 'It answered 503.', { status: 503 })

/** Returns channels with one that answers one after the other of these, and what it got. */
function channelsOf(answers: Delivery[], reservation: Reservation = 'reserved') {
  const sent: WrittenMessage[] = []
  const recorded: unknown[] = []
  const channel = {
    shown: ({ text, callId }: WrittenMessage) => `To On call\n\n${text} ${callId}`,
    isRunFull: async () => reservation === 'run-full',
    reserve: async () => reservation,
    send: async (message: WrittenMessage) => {
      sent.push(message)
      return answers[sent.length - 1] ?? arrived
    },
    record: async (_callId: string, outcome: unknown) => void recorded.push(outcome),
  }
  const channels = {
    names: async () => ['On call', 'Sales'],
    find: async (name: string) => (name === 'On call' ? channel : null),
  }
  return { channels, sent, recorded }
}

const input = { channel: 'On call', text: 'It is done.' }

test('a message arrives once, and what came of it is noted', async () => {
  const { channels, sent, recorded } = channelsOf([])
  const given = { ...input, text: '  It is\u0000 done.\n' }
  const { content } = await callToolDirectly(sendMessage, given, { channels })
  expect(content).toEqual({ delivered: true, channel: 'On call', attempts: 1, status: 200 })
  expect(sent).toEqual([{ text: 'It is done.', callId: 'call' }])
  expect(recorded).toEqual([{ attempts: 1, delivery: arrived }])
})

test('a receiver that does not take it yet is tried again, and people see that', async () => {
  const { channels, sent, recorded } = channelsOf([busy])
  const tool = bindTool(sendMessage, () => memoryResources({ channels }))
  const tell = vi.fn()
  const { content } = await tool.execute(input, { ...memoryContext(), tell })
  expect(content).toMatchObject({ delivered: true, attempts: 2, status: 200 })
  expect(tell.mock.calls.join('')).toBe('It answered 503.\nattempt 2 of 3\n')
  expect(sent).toHaveLength(2)
  expect(recorded).toHaveLength(1)
})

it.each([
  ['final', /^The message did not arrive\. It redirects\.$/, 'not-delivered'],
  [
    'unknown',
    /^Nobody knows whether the message arrived, so it is not sent again\. It redirects\.$/,
    'delivery-unknown',
  ],
] as const)('does not try again after a failure that is %s', async (failure, message, code) => {
  const { channels, sent, recorded } = channelsOf([notDelivered(failure, 'It redirects.')])
  const call = callToolDirectly(sendMessage, input, { channels })
  await expect(call).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  expect(sent).toHaveLength(1)
  expect(recorded).toHaveLength(1)
})

it('gives up after three attempts, and at once when it would have to wait long', async () => {
  const { channels, sent } = channelsOf([busy, busy, busy])
  await expect(callToolDirectly(sendMessage, input, { channels })).rejects.toMatchObject({
    code: 'not-delivered',
    message: 'The message did not arrive after 3 attempts. It answered 503.',
  })
  expect(sent).toHaveLength(messageLimits.attempts)
  const long = channelsOf([{ ...busy, retryAfterSeconds: 3_600 }])
  await expect(
    callToolDirectly(sendMessage, input, { channels: long.channels }),
  ).rejects.toMatchObject({ code: 'not-delivered' })
  expect(long.sent).toHaveLength(1)
})

it('stops waiting with its run, and notes what is known', async () => {
  const stop = new AbortController()
  const { channels, sent, recorded } = channelsOf([busy])
  const tool = bindTool(sendMessage, () => memoryResources({ channels }))
  const tell = () => stop.abort()
  const call = tool.execute(input, { ...memoryContext(), signal: stop.signal, tell })
  await expect(call).rejects.toMatchObject({ code: 'not-delivered' })
  expect(sent).toHaveLength(1)
  expect(recorded).toEqual([{ attempts: 1, delivery: busy }])
})

it.each(['run-full', 'channel-full', 'sent-before'] as const)(
  'sends nothing beyond its limits: %s',
  async (reservation) => {
    const { channels, sent, recorded } = channelsOf([], reservation)
    const call = callToolDirectly(sendMessage, input, { channels })
    await expect(call).rejects.toMatchObject({ code: reservation })
    expect([...sent, ...recorded]).toEqual([])
  },
)

it('shows nobody a message to approve when the run may send no more', async () => {
  const { channels } = channelsOf([], 'run-full')
  const tool = bindTool(sendMessage, () => memoryResources({ channels }))
  await expect(tool.look?.read(input, memoryContext())).rejects.toMatchObject({ code: 'run-full' })
})

it('names the channels that may be used when there is none of the name', async () => {
  const { channels } = channelsOf([])
  for (const channel of ['on call', 'constructor', '']) {
    await expect(
      callToolDirectly(sendMessage, { ...input, channel }, { channels }),
    ).rejects.toMatchObject({
      code: 'not-found',
      message: 'Channel not found or not permitted. You may use: On call, Sales.',
    })
  }
})

it('shows the message as its act, word for word', async () => {
  const { channels } = channelsOf([])
  const tool = bindTool(sendMessage, () => memoryResources({ channels }))
  expect(tool.look?.isAct).toBe(true)
  expect(await tool.look?.read(input, memoryContext())).toBe('To On call\n\nIt is done. c')
})

it.each(['', ' \n\t ', '\u0000\u0007', 'x'.repeat(messageLimits.characters + 1)])(
  'takes no message without words, and none that is too long',
  (text) => {
    const tool = bindTool(sendMessage, () => memoryResources())
    expect(tool.parse({ ...input, text })).toMatchObject({ ok: false })
  },
)
