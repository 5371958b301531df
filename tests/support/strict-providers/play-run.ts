import { closeLater } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import { openProvider } from '@/lib/engines/providers/open-provider'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { eventsOf, modelTarget, runFixture, runInput, runSnapshot, testTool } from '../run-fixture'
import { type Json, startStrictProvider } from './strict-provider'

type Asked = {
  wire: Exclude<ModelTarget['wire'], 'demo'>
  /** Whole bodies, in order. */
  answers: readonly string[]
  modelId?: string
  /** Why the provider refuses a request; null = it does not. */
  refusal?: (body: Json, round: number) => string | null
  /** Differences of the run's configuration. */
  snapshot?: Partial<RunSnapshot>
}

/**
 * Makes one run of the loop, with the tools `look` and `list_groups`, against a local server that answers in order.
 * `ran` = the tools that were executed, with their arguments.
 */
export async function playRun({
  wire,
  answers,
  modelId = 'm',
  refusal = () => null,
  snapshot: change = {},
}: Asked) {
  const contentType = wire === 'ollama' ? 'application/x-ndjson' : 'text/event-stream'
  const server = await startStrictProvider({ answers, contentType, refusal })
  closeLater(server.close)
  const provider = openProvider(wire, providerOptions({ baseUrl: server.url, apiKey: 'k' }))
  const ran: string[] = []
  const tool = (name: string) =>
    testTool(name, {
      execute: async (args) => {
        ran.push(`${name} ${JSON.stringify(args)}`)
        return { content: `result ${ran.length}` }
      },
    })
  const { deps, events } = runFixture({
    tools: [tool('look'), tool('list_groups')],
    deps: {
      streamModel: (_target, request, signal) => provider.stream(request, signal),
      // Its only wait is for the end of its time.
      after: () => () => undefined,
    },
  })
  const targets = [modelTarget({ wire, modelId, maxTries: 1 })]
  const { end, rounds, costMicroUsd } = await runAgent(
    runInput({ snapshot: runSnapshot({ targets, ...change }) }),
    deps,
  )
  const warnings = eventsOf(events, 'warning').map(({ data }) => data.code)
  return {
    end,
    rounds,
    costMicroUsd,
    ran,
    warnings,
    events,
    bodies: server.bodies,
    refusals: server.refusals,
  }
}

/** An answer of each wire with these calls, and one with the words “Done.”. */
export type CallScript = {
  calls: (calls: readonly { id: string; name: string; args: object }[]) => string
  done: string
}

const sse = (...events: (object | string)[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)

const chat = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const chatEnd = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } }

const gemini = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4 },
})

const anthropic = (blocks: object[], stop_reason: string) =>
  sse(
    { type: 'message_start', message: { content: [], usage: { input_tokens: 9 } } },
    ...blocks.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ).join('')

const responses = (output: object[]) =>
  sse(
    ...output.map((item, output_index) => ({
      type: 'response.output_item.done',
      output_index,
      item,
    })),
    {
      type: 'response.completed',
      response: { status: 'completed', output, usage: { input_tokens: 9, output_tokens: 4 } },
    },
  ).join('')

/** Signed or thinking answers, which go back as the provider wrote them. */
export const callScripts: Record<
  'gemini' | 'anthropic' | 'openai' | 'openai-compatible',
  CallScript
> = {
  gemini: {
    calls: (calls) => {
      const parts = calls.map(({ id, name, args }, at) => ({
        functionCall: { id, name, args },
        ...(at === 0 && { thoughtSignature: 'c2lnQQ==' }),
      }))
      return sse(gemini(parts, { finishReason: 'STOP' })).join('')
    },
    done: sse(gemini([{ text: 'Done.' }], { finishReason: 'STOP' })).join(''),
  },
  anthropic: {
    calls: (calls) => {
      const uses = calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))
      return anthropic(
        [{ type: 'thinking', thinking: 'Hm.', signature: 's==' }, ...uses],
        'tool_use',
      )
    },
    done: anthropic([{ type: 'text', text: 'Done.' }], 'end_turn'),
  },
  openai: {
    calls: (calls) =>
      responses([
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'secret' },
        ...calls.map(({ id, name, args }, at) => ({
          type: 'function_call',
          id: `fc_${at}`,
          call_id: id,
          name,
          arguments: JSON.stringify(args),
          status: 'completed',
        })),
      ]),
    done: responses([
      { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Done.' }] },
    ]),
  },
  'openai-compatible': {
    calls: (calls) => {
      const tool_calls = calls.map(({ id, name, args }, index) => ({
        index,
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
        ...(index === 0 && { extra_content: { google: { thought_signature: 'c2lnQQ==' } } }),
      }))
      return sse(chat({ tool_calls }), chat({}, 'tool_calls'), chatEnd, '[DONE]').join('')
    },
    done: sse(chat({ content: 'Done.' }), chat({}, 'stop'), chatEnd, '[DONE]').join(''),
  },
}
