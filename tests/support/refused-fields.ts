import { expect } from 'vitest'
import { ValidationError } from '@/lib/kernel/errors'

/** Returns the message for each field of the ValidationError that the promise must reject with. */
export async function refusedFields(refused: Promise<unknown>): Promise<Record<string, string>> {
  const error = await refused.then(
    () => new Error('Nothing was refused.'),
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(ValidationError)
  return (error as ValidationError).fields
}
