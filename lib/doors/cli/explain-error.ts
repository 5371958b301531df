import { explainFailure } from '@/lib/installation/installation-error'
import { AppError, breaksCases, unconfirmed, ValidationError } from '@/lib/kernel/errors'
import { nobodyCanApprove } from '@/lib/protocol/typed-confirmation'
import { exitCodes } from './exit-codes'

/** Returns one sentence and an exit code for the error that ended a command. Internal errors go to the log. */
export async function explainError(
  error: unknown,
): Promise<{ exitCode: number; sentence: string }> {
  if (error instanceof ValidationError) {
    return { exitCode: exitCodes.usage, sentence: sentenceOf(error) }
  }
  if (error instanceof AppError && error.code === unconfirmed) {
    const sentence = `${error.message} To do it all the same, add --confirm "${nobodyCanApprove}".`
    return { exitCode: exitCodes.failed, sentence }
  }
  if (error instanceof AppError && error.code === breaksCases) {
    const sentence = `${error.message}\nTo save it all the same, say why with --break-checks REASON.`
    return { exitCode: exitCodes.failed, sentence }
  }
  if (error instanceof AppError) {
    return { exitCode: exitCodes.failed, sentence: error.message }
  }
  const known = explainFailure(error)
  if (known !== null) return { exitCode: exitCodes.failed, sentence: known }
  const { describeError } = await import('@/lib/kernel/describe-error')
  return { exitCode: exitCodes.failed, sentence: describeError(error, 'cli').message }
}

/** Options for fields whose error sentences leave them to page and terminal. */
const fieldOptions = new Map([
  ['privateAddressAllowed', '--allow-private'],
  ['confirmZone', '--confirm-zone HOST --reason TEXT'],
])

/** Returns the sentence of an error, with field names where there are several or where it is about a part. */
function sentenceOf({ fields, message }: ValidationError): string {
  const said = Object.entries(fields)
  const options = said.flatMap(([path]) => fieldOptions.get(path) ?? [])
  const hint = options.length > 0 ? ` Use ${options.join(' and ')}.` : ''
  if (said.length < 2 && !said.some(([path]) => path.includes('.'))) return message + hint
  return (
    said.map(([path, words]) => (path === '' ? words : `${path}: ${words}`)).join('\n  ') + hint
  )
}
