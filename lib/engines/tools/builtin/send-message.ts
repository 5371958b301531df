import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Delivery } from '@/lib/domains/channels/shared/delivery'
import { messageLimits, type Reservation } from '@/lib/domains/channels/shared/run-messages'
import { type JsonValue, ToolError } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { defineTool, type ToolContext } from '../define-tool'
import type { MessageChannel, ToolResources } from '../tool-resources'

const { characters, ofRun, ofChannelAMinute, attempts: mostAttempts } = messageLimits

/** The wait before the second attempt; before the third one it is twice as long. */
const firstWaitMs = 1_000
/** A receiver that asks for a longer wait does not get the message. */
const longestWaitMs = 10_000

export default defineTool({
  name: 'send_message',
  isPlain: true,
  description:
    'Sends one message to people, through a channel such as a chat or a mailing list. The text arrives as plain text, with a line ' +
    'that says whose run sent it. Write what its readers need to know, in full sentences. A message cannot be taken back, and it is ' +
    'sent only once: do not repeat it because nobody answers. A wrong channel is answered with those that you may use.',
  group: 'agents',
  parameters: z.object({
    channel: z.string().max(200).describe('The name of a channel.'),
    text: z
      .string()
      .overwrite(cleanText)
      .trim()
      .min(1)
      .max(characters)
      .describe('The message, as plain text.'),
  }),
  enabledByDefault: false,
  requiresAdmin: false,
  needs: 'channel',
  effect: 'write',
  dataClass: 'content',
  trusted: true,
  timeoutMs: 90_000,
  limits: [
    `${characters.toLocaleString('en')} characters a message`,
    `${ofRun} messages a run`,
    `${ofChannelAMinute} messages a minute through one channel, from all runs`,
    `${mostAttempts} attempts, and none after a receiver that did not answer`,
  ],
  example: { channel: 'On call', text: 'The report of this week is ready.' },
  look: {
    isAct: true,
    read: async ({ channel, text }, { resources, callId }) => {
      const found = await requireChannel(resources, channel)
      if (await found.isRunFull()) throw new ToolError('run-full', refusals['run-full'])
      return found.shown({ text, callId })
    },
  },
  execute: async ({ channel: name, text }, context) => {
    const channel = await requireChannel(context.resources, name)
    const reservation = await channel.reserve(context.callId)
    const refusal = refusals[reservation]
    if (refusal !== null) throw new ToolError(reservation, refusal)
    const sent = await sendWithRetries(channel, text, context)
    await channel.record(context.callId, sent)
    return { content: answerOf(name, sent) }
  },
})

async function requireChannel({ channels }: ToolResources, name: string): Promise<MessageChannel> {
  const found = await channels.find(name)
  if (found) return found
  const names = await channels.names()
  const words = names.length === 0 ? 'There is none.' : `You may use: ${names.join(', ')}.`
  throw new ToolError('not-found', `Channel not found or not permitted. ${words}`)
}

const refusals = {
  reserved: null,
  'run-full': `This run has sent ${ofRun} messages, and a run may send no more. Say the rest in your answer.`,
  'channel-full': `Runs have sent ${ofChannelAMinute} messages through this channel within a minute, and no more may be sent. Wait a minute, then ask again.`,
  'sent-before': 'This call has begun to send its message before, and a message is sent only once.',
} satisfies Record<Reservation, string | null>

type Sent = { attempts: number; delivery: Delivery }

/** Tries again only where the receiver is known not to have taken the message. */
async function sendWithRetries(
  channel: MessageChannel,
  text: string,
  { callId, signal, tell }: ToolContext,
): Promise<Sent> {
  for (let attempts = 1; ; attempts++) {
    if (attempts > 1) tell?.(`attempt ${attempts} of ${mostAttempts}\n`)
    const delivery = await channel.send({ text, callId }, signal)
    const waitMs = waitAfter(delivery, attempts)
    if (waitMs === null) return { attempts, delivery }
    tell?.(`${delivery.trouble}\n`)
    if (!(await waited(waitMs, signal))) return { attempts, delivery }
  }
}

/** Returns whether the whole time passed before `signal` was aborted. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
  return !signal.aborted
}

/** Returns how long to wait before the next attempt; null = there is none. */
function waitAfter({ failure, retryAfterSeconds }: Delivery, attempts: number): number | null {
  if (failure !== 'later' || attempts === mostAttempts) return null
  const waitMs = Math.max(firstWaitMs * attempts, (retryAfterSeconds ?? 0) * 1_000)
  return waitMs > longestWaitMs ? null : waitMs
}

/** Returns what the model gets. Throws ToolError when the message did not arrive, or nobody knows whether it did. */
function answerOf(channel: string, { attempts, delivery }: Sent): JsonValue {
  const { failure, status, trouble } = delivery
  const after = attempts === 1 ? '' : ` after ${attempts} attempts`
  if (failure === 'unknown') {
    throw new ToolError(
      'delivery-unknown',
      `Nobody knows whether the message arrived${after}, so it is not sent again. ${trouble}`,
    )
  }
  if (failure !== null) {
    throw new ToolError('not-delivered', `The message did not arrive${after}. ${trouble}`)
  }
  return { delivered: true, channel, attempts, status, ...(trouble !== null && { trouble }) }
}
