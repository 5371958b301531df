import { AppError } from '../../kernel/errors'
import type { AddressClass } from './classify-address'

/** The way out is closed for this address. The message names neither the host nor its address. */
export class EgressError extends AppError {
  constructor(
    readonly refused: AddressClass | 'scheme',
    message: string,
  ) {
    super('egress', 422, message)
  }
}
