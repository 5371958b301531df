import type { Message } from '@/lib/protocol/message'
import { answerBeforeImages, imagesText } from '@/lib/protocol/result-images'
import type { RoundView } from '@/lib/protocol/round-view'
import type { RunEventOf } from '@/lib/protocol/run-event'
import { schemaTokens, type ToolSpec } from '@/lib/protocol/tool'
import { attachmentsOf, likelyFileTokens } from './file-tokens'
import { type MessageForm, roundMessages } from './messages-of'

type Start = RunEventOf<'run-start'>['data']

/** Counted once per object: the messages of a round and tools are the same objects in every request of a run. */
const tokensOfRound = new WeakMap<readonly Message[], number>()
const tokensOfMessage = new WeakMap<Message, number>()
const tokensOfTool = new WeakMap<ToolSpec, number>()

/** Estimates the tokens of a text: one for 4 characters of plain text, and about one per character beyond Latin. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4 + (Buffer.byteLength(text) - text.length) / 2)
}

/** Estimates the tokens of a message, with a few for what its wire adds. */
export function messageTokens(message: Message): number {
  let tokens = tokensOfMessage.get(message)
  if (tokens === undefined) {
    tokens = 4 + textsOf(message).reduce((sum, text) => sum + estimateTokens(text), 0)
    for (const file of attachmentsOf(message)) tokens += likelyFileTokens(file)
    tokensOfMessage.set(message, tokens)
  }
  return tokens
}

export function textsOf(message: Message): string[] {
  switch (message.role) {
    case 'user':
      return [message.text]
    case 'tool':
      return message.attachments
        ? [message.name, message.content, imagesText([message]), answerBeforeImages]
        : [message.name, message.content]
    case 'assistant':
      return [
        message.text,
        ...message.reasoning.map((block) => block.text),
        ...message.toolCalls.flatMap((call) => [call.name, call.argumentsText]),
      ]
    default:
      return message satisfies never
  }
}

/** What a request adds to a conversation. */
export type RequestFrame = { system: string; tools: readonly ToolSpec[] } & Omit<
  MessageForm,
  'prunedThrough'
>

/** Estimates the tokens of a request without its messages. */
export function frameTokens({ system, tools }: Pick<RequestFrame, 'system' | 'tools'>): number {
  return tools.reduce((sum, tool) => sum + toolTokens(tool), estimateTokens(system))
}

/** Estimates the tokens of an answered round: the message of the model and the results of its calls. */
export function roundTokens(
  round: RoundView,
  start: Start,
  form: Omit<MessageForm, 'fenced' | 'prunedThrough'>,
): number {
  const messages = roundMessages(round, start, form)
  let tokens = tokensOfRound.get(messages)
  if (tokens === undefined) {
    tokens = messages.reduce((sum, message) => sum + messageTokens(message), 0)
    tokensOfRound.set(messages, tokens)
  }
  return tokens
}

function toolTokens(tool: ToolSpec): number {
  let tokens = tokensOfTool.get(tool)
  if (tokens === undefined) {
    tokens = schemaTokens(tool)
    tokensOfTool.set(tool, tokens)
  }
  return tokens
}
