import { expect } from 'vitest'
import { ValidationError } from '@/lib/kernel/errors'

/** What is said of each field by the refusal that this has to end in. */
export async function refusedFields(refused: Promise<unknown>): Promise<Record<string, string>> {
  const error = await refused.then(
    () => new Error('Nothing was refused.'),
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(ValidationError)
  return (error as ValidationError).fields
}
