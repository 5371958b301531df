import { isDeepStrictEqual } from 'node:util'
import { sealReasoning } from '@/tests/support/model-server/responses-frames'
import { refuseResponses } from '@/tests/support/model-server/responses-rules'
import type { Json } from '@/tests/support/strict-providers/strict-provider'
import { responsesStream } from './responses-stream'
import { callArguments, type ThreeRounds } from './round-script'

const reasoning = (n: number, ...words: string[]) => ({
  id: `rs_${n}`,
  type: 'reasoning',
  encrypted_content: sealReasoning(`rs_${n}`, words.join('')),
  summary: words.map((text) => ({ type: 'summary_text', text })),
})
const call = (n: number, name: string, args: object) => ({
  id: `fc_${n}-reasoned-0`,
  type: 'function_call',
  status: 'completed',
  arguments: JSON.stringify(args),
  call_id: `call_${n}`,
  name,
})
const message = (n: number, text: string, more: object = {}) => ({
  id: `msg_${n}`,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
  ...more,
})

const given: Json[][] = [
  [
    reasoning(1, 'The logs first.'),
    message(1, 'I look at both.', { phase: 'commentary' }),
    call(1, 'fetch_logs', callArguments[0]),
    reasoning(2),
    call(2, 'list_users', callArguments[1]),
  ],
  [reasoning(3, 'Warnings,', ' too.'), call(3, 'fetch_logs', callArguments[2])],
]

/** Returns what the API refuses, including an answer that does not come back unchanged. */
function refusal(body: Json, round: number): string | null {
  const refused = refuseResponses(body)
  if (refused) return refused.error.message
  const echoed = (body.input as Json[]).filter(
    ({ type, role }) => role === 'assistant' || type === 'reasoning' || type === 'function_call',
  )
  return isDeepStrictEqual(echoed, given.slice(0, round).flat()) ? null : 'Changed items.'
}

/** A run over the Responses API; its rules are those of the model server of the tests. */
export const responsesRounds: ThreeRounds = {
  name: 'openai-responses',
  wire: 'openai',
  modelId: 'gpt-5.6-sol',
  contentType: 'text/event-stream',
  answers: [...given, [message(9, 'All is well.')]].map((items) => responsesStream(items)),
  refusal,
}
