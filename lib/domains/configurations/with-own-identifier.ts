import { isUniqueViolation } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'

/** Does `work`; an identifier that another configuration has is a ConflictError. */
export async function withOwnIdentifier<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new ConflictError('Another configuration has this identifier.', 'identifier')
    }
    throw error
  }
}
