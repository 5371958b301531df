import { z } from 'zod'
import type { RunFile } from './run-file'

/**
 * One tool call as the model asked for it. `callId` is ours; `providerCallId` is what goes back on the wire
 * (synthesised when the provider sent none, re-keyed when it sent a duplicate: SPEC R12). `argumentsText` is the
 * model's own JSON text, `{}` when it sent none; it may be invalid JSON.
 */
export const ToolCall = z.object({
  callId: z.string(),
  providerCallId: z.string(),
  name: z.string(),
  argumentsText: z.string(),
})
export type ToolCall = z.infer<typeof ToolCall>

/**
 * A block of model reasoning; `redacted` has no text. `signature` says which field of a server it came in, where that server
 * wants it back (`reasoningSignature`). What providers sign is in their own form of the answer alone.
 */
export const ReasoningBlock = z.object({
  text: z.string(),
  signature: z.string().nullable(),
  redacted: z.boolean(),
})
export type ReasoningBlock = z.infer<typeof ReasoningBlock>

/**
 * A file that goes with what a person says or a tool returns. `content` is there in requests that are sent, and only there:
 * the text as the model is to read it, or the bytes.
 */
export type Attachment = RunFile & {
  fence: { nonce: string; canary: string }
  content?: { text: string } | { bytes: Uint8Array }
}

export type Message =
  | { role: 'user'; text: string; attachments?: readonly Attachment[] }
  | {
      role: 'assistant'
      text: string
      reasoning: ReasoningBlock[]
      toolCalls: ToolCall[]
      /**
       * The same answer as the provider wrote it, JSON text, when this request goes to the connection and wire that gave
       * it: it is sent instead of the portable form (SPEC R15c).
       */
      native?: string
    }
  | {
      role: 'tool'
      providerCallId: string
      name: string
      content: string
      isError: boolean
      /** Images that came with the result and go to this model; absent = none. */
      attachments?: readonly Attachment[]
    }
