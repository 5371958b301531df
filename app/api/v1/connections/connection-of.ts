import { findConnection } from '@/lib/domains/connections/find-connection'
import type { Ctx } from '@/lib/kernel/context'

/** The id of the connection that an address names by id or name. */
export async function connectionOf(
  ctx: Ctx,
  { connectionId = '' }: Record<string, string>,
): Promise<string> {
  return (await findConnection(ctx, connectionId)).id
}
