import { z } from 'zod'

/** Why a request in text could not be read as a call (SPEC W). */
export const AskFault = z.enum([
  'unclosed_tag',
  'bad_json',
  'not_an_object',
  'missing_name',
  'unknown_field',
  'arguments_not_an_object',
])
export type AskFault = z.infer<typeof AskFault>

/**
 * How a model without tool calling asked for a tool. Behind the message's text it wrote `tag`, with what stood directly in
 * front of it (a code fence), and then `after`, which is no answer and counts for nothing. `fault` null = the call is in
 * the message.
 */
export const AskedInText = z.object({
  tag: z.string(),
  after: z.string(),
  fault: AskFault.nullable(),
})
export type AskedInText = z.infer<typeof AskedInText>

/** What was wrong with a request, for people and for the model. */
export const faultWords: Record<AskFault, string> = {
  unclosed_tag: 'The request has no closing tag </tool_call>.',
  bad_json: 'The text between <tool_call> and </tool_call> is not valid JSON.',
  not_an_object: 'The text between <tool_call> and </tool_call> is not one JSON object.',
  missing_name: 'The request has no "name", or it is not text.',
  unknown_field: 'The request has other fields than "name" and "args".',
  arguments_not_an_object: 'The "args" of the request are not one JSON object.',
}

/** The name of a call whose request does not say one. No tool can have it. */
export const unreadableName = '(unreadable)'

export const openTag = '<tool_call>'
export const closeTag = '</tool_call>'

/** A call as text, for models that ask in text. */
export function callTag({ name, argumentsText }: { name: string; argumentsText: string }): string {
  return `${openTag}{"name":${JSON.stringify(name)},"args":${argumentsText}}${closeTag}`
}
