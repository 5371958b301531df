import { z } from 'zod'
import { TrustZone } from '@/lib/protocol/model/model-target'
import { DataClass } from '@/lib/protocol/tool'

/**
 * An answer to the question which data a new model may be sent, with what it means: how many of the tools of this
 * installation a run could be offered. `trustZone` is what the connection gets.
 */
export const DataChoice = z.object({
  dataClass: DataClass,
  tools: z.int(),
  of: z.int(),
  trustZone: TrustZone,
  /** True = it is more than the trust zone allows by itself, so that a reason is asked for. */
  isRaised: z.boolean(),
})
export type DataChoice = z.output<typeof DataChoice>

/** Returns whether the answer says that what is sent stays in one's own network, which is confirmed once. */
export function staysHere({ trustZone }: Pick<DataChoice, 'trustZone'>): boolean {
  return trustZone === 'local' || trustZone === 'private'
}

/** Error for an answer that was not confirmed. */
export const confirmStays =
  'Confirm that this address sends nothing on, or pick data that any provider may receive.'
