import { escapeInvisible } from '@/lib/protocol/visible-text'
import { parseArguments } from './short-arguments'

/** The arguments as text to edit: indented, with invisible characters as escapes, which mean the same in JSON. */
export function editableArguments(argumentsText: string): string {
  const parsed = parseArguments(argumentsText)
  return parsed ? escapeInvisible(JSON.stringify(parsed, null, 2)) : argumentsText
}
