import OpenAI from 'openai'
import { Agent } from 'undici'
import type { Loop } from './measure'
import type { PageTool } from './page-tool'

type Message = OpenAI.ChatCompletionMessageParam
type Chunk = OpenAI.ChatCompletionChunk
type Answer = { text: string; calls: { id: string; name: string; argumentsText: string }[] }
type Ask = (messages: Message[], tools: OpenAI.ChatCompletionFunctionTool[]) => Promise<Answer>

/** Runs the loop as anyone would write it: ask, execute the calls, ask again. No gates, no journal, no limits. */
export function handWrittenLoop(ask: Ask, tool: PageTool): Loop {
  const { execute, name, description, parameters } = tool
  const tools = [{ type: 'function' as const, function: { name, description, parameters } }]
  return async (prompt) => {
    const messages: Message[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: prompt },
    ]
    for (;;) {
      const { text, calls } = await ask(messages, tools)
      if (calls.length === 0) return text
      messages.push({ role: 'assistant', content: text, tool_calls: calls.map(toWire) })
      for (const { id, argumentsText } of calls) {
        const { content } = await execute(JSON.parse(argumentsText))
        messages.push({ role: 'tool', tool_call_id: id, content })
      }
    }
  }
}

function toWire({ id, name, argumentsText }: Answer['calls'][number]) {
  return { id, type: 'function' as const, function: { name, arguments: argumentsText } }
}

const fields = {
  model: 'test-model',
  stream: true,
  stream_options: { include_usage: true },
} as const
const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-none' }

/**
 * Asks with undici's pooled `request` and parses the stream by hand, which is the least work possible. `onSend` gets
 * the sizes.
 */
export function askWithUndici(url: string, onSend: (bytes: number) => void = () => undefined): Ask {
  const agent = new Agent()
  return async (messages, tools) => {
    const content = JSON.stringify({ ...fields, messages, tools })
    onSend(content.length)
    const { body } = await agent.request({
      origin: url,
      path: '/v1/chat/completions',
      method: 'POST',
      headers,
      body: content,
    })
    return readAnswer(body)
  }
}

/** Asks with the global `fetch`, otherwise the same. */
export function askWithFetch(url: string): Ask {
  return async (messages, tools) => {
    const body = JSON.stringify({ ...fields, messages, tools })
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    if (!response.body) throw new Error('The answer has no body.')
    return readAnswer(response.body)
  }
}

/** Asks with the official client, as its documentation shows it. */
export function askWithSdk(url: string): Ask {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-none', maxRetries: 0 })
  return async (messages, tools) => {
    const stream = await client.chat.completions.create({ ...fields, messages, tools })
    const answer: Answer = { text: '', calls: [] }
    for await (const chunk of stream) addChunk(answer, chunk)
    return answer
  }
}

async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<Answer> {
  const answer: Answer = { text: '', calls: [] }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const data = frame.slice('data: '.length)
      if (data !== '[DONE]') addChunk(answer, JSON.parse(data))
    }
  }
  return answer
}

function addChunk(answer: Answer, chunk: Chunk): void {
  const delta = chunk.choices[0]?.delta
  if (!delta) return
  if (delta.content) answer.text += delta.content
  for (const { index, id, function: part } of delta.tool_calls ?? []) {
    const known = answer.calls[index]
    if (known) known.argumentsText += part?.arguments ?? ''
    else {
      answer.calls[index] = {
        id: id ?? '',
        name: part?.name ?? '',
        argumentsText: part?.arguments ?? '',
      }
    }
  }
}
